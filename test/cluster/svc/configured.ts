import { freePort } from "./process.ts";

/** Auth and proxy in one file, on ports that nobody has. */
export async function configured(): Promise<string> {
  const [auth, ops, web, look] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  return `svc: {data_dir: DIR/data}
auth_service: {cluster_name: example, listen_addr: 127.0.0.1:${auth}, diag_addr: 127.0.0.1:${ops}}
proxy_service: {public_addr: proxy.example.com, web_listen_addr: 127.0.0.1:${web}, diag_addr: 127.0.0.1:${look}}
`;
}

export function portIn(text: string, key: string): string {
  return new RegExp(`\\b${key}: 127\\.0\\.0\\.1:(\\d+)`).exec(text)?.[1] ?? "";
}
