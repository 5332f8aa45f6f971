import { listOf, record } from "../../rules/shape/shape.ts";
import { resourceName } from "./name.ts";

/** Roles add up. Instead of more roles, make one with all their rules. */
export const mostRoles = 64;

export const roleNames = listOf(resourceName, mostRoles);

/** A person who signs in here. Credentials are stored elsewhere and never shown. */
export const userSpec = record({ roles: roleNames });
