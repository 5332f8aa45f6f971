import type { Product } from "../product.ts";
import { cluster } from "./cluster.ts";
import { server } from "./server.ts";
import { updater } from "./updater.ts";

export const products: readonly Product[] = [updater, server, cluster];
