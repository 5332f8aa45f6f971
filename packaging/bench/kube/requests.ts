import { closeSync, openSync, readSync, statSync, writeFileSync } from "node:fs";

/** One request of the updater, as the API server logged it. */
export type Request = {
  /** list, watch, get, patch or delete. */
  readonly verb: string;
  readonly resource: string;
  readonly name: string;
  readonly status: number;
};

/** Has the API server log only this user's requests, each once, a watch at its beginning. */
export function writePolicy(path: string, user: string): void {
  const rules = [{ level: "Metadata", users: [user] }, { level: "None" }];
  const policy = { apiVersion: "audit.k8s.io/v1", kind: "Policy", omitStages: ["RequestReceived"], rules };
  writeFileSync(path, JSON.stringify(policy));
}

type Line = {
  readonly stage: string;
  readonly verb: string;
  readonly objectRef?: { readonly resource?: string; readonly name?: string };
  readonly responseStatus?: { readonly code?: number };
};

/** Returns what the API server has logged since the last call. */
export class Requests {
  readonly #path: string;
  #offset = 0;
  #rest = "";

  constructor(path: string) {
    this.#path = path;
  }

  /** The length of the log, which grows with each request. */
  bytes(): number {
    return statSync(this.#path).size;
  }

  since(): readonly Request[] {
    const lines = `${this.#rest}${this.#more()}`.split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => {
      const { stage, verb, objectRef, responseStatus } = JSON.parse(line) as Line;
      if (stage !== (verb === "watch" ? "ResponseStarted" : "ResponseComplete")) return [];
      return [{ verb, resource: objectRef?.resource ?? "", name: objectRef?.name ?? "", status: responseStatus?.code ?? 0 }];
    });
  }

  #more(): string {
    const file = openSync(this.#path, "r");
    const chunks: Buffer[] = [];
    try {
      for (;;) {
        const chunk = Buffer.alloc(1024 * 1024);
        const length = readSync(file, chunk, 0, chunk.length, this.#offset);
        if (length === 0) return Buffer.concat(chunks).toString();
        this.#offset += length;
        chunks.push(chunk.subarray(0, length));
      }
    } finally {
      closeSync(file);
    }
  }
}

/** Prints `patch configmaps 3, patch events 3`. */
export function printRequests(requests: readonly Request[]): string {
  const counts = new Map<string, number>();
  for (const { verb, resource } of requests) {
    const what = `${verb} ${resource}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const told = [...counts].toSorted(([, one], [, other]) => other - one).map(([what, count]) => `${what} ${count}`);
  return told.length === 0 ? "none" : told.join(", ");
}

export function isRead({ verb }: Request): boolean {
  return verb === "get" || verb === "list";
}

export function isWrite({ verb }: Request): boolean {
  return verb !== "watch" && !isRead({ verb } as Request);
}
