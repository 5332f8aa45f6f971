import { stream } from "../api/call.ts";
import type { Transport } from "../api/transport.ts";

/** Auth's answer to Backup as the bytes of the file. */
export async function* backupPieces(transport: Transport, stopping?: AbortSignal): AsyncGenerator<Uint8Array> {
  const asked = { method: "ClusterService/Backup", request: {} } as const;
  for await (const { chunk = "" } of stream(transport, asked, stopping === undefined ? {} : { stopping })) {
    yield Buffer.from(chunk, "base64");
  }
}
