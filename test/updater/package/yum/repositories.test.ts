import { describe, expect, test } from "vitest";
import { parseRepositories } from "../../../../src/updater/package/yum/repositories.ts";

describe("the repositories of a host", () => {
  test("of a list of mirrors, the one that is in use is known too", () => {
    const output =
      "Repo-id            : base\nRepo-metalink      : https://m.example/?a=b\nRepo-baseurl       : http://one.example/os/ (41 more)\n";
    expect(parseRepositories(output).all).toEqual([{ id: "base", urls: ["https://m.example/?a=b", "http://one.example/os/"] }]);
    expect(parseRepositories("")).toEqual({ all: [], ignored: [] });
    expect(parseRepositories("Repo-id : odd\nRepo-mirrors : none\n").all).toEqual([{ id: "odd", urls: [] }]);
  });
});
