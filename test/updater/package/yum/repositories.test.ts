import { describe, expect, test } from "vitest";
import { parseRepositories } from "../../../../src/updater/package/yum/repositories.ts";
import { savedEnded } from "../saved.ts";

describe("the repositories of a host", () => {
  test("are known with every address that is asked for them, and those without lists by name", () => {
    expect(parseRepositories(savedEnded("yum/repositories", 0).output)).toEqual({
      all: [
        { id: "dead", urls: ["http://127.0.0.1:9/dead/12/x86_64", "http://mirror.example/dead"] },
        { id: "disabled", urls: ["https://mirrors.example/metalink?repo=x&arch=x86_64"] },
        { id: "mirrored", urls: ["http://127.0.0.1:9/list"] },
        { id: "svc", urls: ["file:///scratch/repo"] },
      ],
      ignored: ["dead", "mirrored"],
    });
  });

  test("of a list of mirrors, the one that is in use is known too", () => {
    const output =
      "Repo-id            : base\nRepo-metalink      : https://m.example/?a=b\nRepo-baseurl       : http://one.example/os/ (41 more)\n";
    expect(parseRepositories(output).all).toEqual([{ id: "base", urls: ["https://m.example/?a=b", "http://one.example/os/"] }]);
    expect(parseRepositories("")).toEqual({ all: [], ignored: [] });
    expect(parseRepositories("Repo-id : odd\nRepo-mirrors : none\n").all).toEqual([{ id: "odd", urls: [] }]);
  });
});
