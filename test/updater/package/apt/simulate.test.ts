import { describe, expect, test } from "vitest";
import { simulate } from "../../../../src/updater/package/apt/simulate.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import { saved } from "../saved.ts";
import { answering, failing, type Answers } from "./answers.ts";
import { change, faultOf } from "./given.ts";

const alone = "Inst svc-ent [15.4.5] (15.4.6 x [all])\n";
const both = `Inst libnew (1.0 x [all])\n${alone}`;
const control = (depends: string): Answers[number] => [
  /^apt-cache show/,
  `Package: svc-ent\nVersion: 15.4.6\n${depends}\n\nPackage: libnew\nVersion: 1.0\n`,
];
const needed = control("Depends: libnew");

describe("a plan of apt", () => {
  test("of the package alone is as it should be: nobody is asked for more", async () => {
    const calls = answering([[/ -s /, alone]]);
    expect(await simulate(calls, change("15.4.6", { hold: "lifted" }))).toEqual([
      { name: "svc-ent", version: "15.4.6", architecture: "all" },
    ]);
    expect(calls.asked).toHaveLength(1);
  });

  const hint = "look at the whole plan with `apt-get -s install svc-ent=15.4.6`";
  test("that changes what it does not depend on is refused, and where to look is told", async () => {
    expect(await faultOf(simulate(answering([[/ -s /, both], control("Depends: another")]), change("15.4.6")))).toMatchObject({
      code: "plan-refused",
      message: "installing svc-ent 15.4.6 would change libnew, which it does not depend on",
      hint,
    });
  });

  test("names as many as eight that would be removed, and counts the rest", async () => {
    const removing = (count: number): Answers => [
      [/ -s /, Array.from({ length: count }, (_, at) => `Remv p${at + 1} [1]\n`).join("")],
    ];
    const eight = "p1, p2, p3, p4, p5, p6, p7, p8";
    expect((await faultOf(simulate(answering(removing(1)), change("15.4.6")))).message).toMatch(/remove p1$/);
    expect((await faultOf(simulate(answering(removing(8)), change("15.4.6")))).message).toMatch(new RegExp(`remove ${eight}$`));
    expect((await faultOf(simulate(answering(removing(9)), change("15.4.6")))).message).toMatch(
      new RegExp(`remove ${eight} and 1 more$`),
    );
  });

  test("that is none is told in apt's words", async () => {
    const rows: Answers = [[/ -s /, failing(saved("simulate-missing.txt"))]];
    const fault = await faultOf(simulate(answering(rows), change("1.2.3")));
    expect(fault.code).toBe("not-offered");
    expect(fault.message).toMatch(/^apt-get install svc-ent=1\.2\.3 failed: /);
  });

  test.each([
    { title: "another's hold", rows: "hi \t0.9\tlibnew\nhi \t15.4.5\tsvc-ent\n", refused: true },
    { title: "its own hold alone", rows: "ii \t0.9\tlibnew\nhi \t15.4.5\tsvc-ent\n", refused: false },
  ])("with its hold lifted goes past $title: refused is $refused", async ({ rows, refused }) => {
    const calls = answering([[/ -s /, both], needed, [/^dpkg-query/, rows]]);
    const planning = simulate(calls, change("15.4.6", { hold: "lifted" }));
    if (refused) {
      expect(await faultOf(planning)).toMatchObject({
        code: "plan-refused",
        message: "installing svc-ent 15.4.6 would lift the hold on libnew as well",
      });
    } else expect(await planning).toHaveLength(2);
    expect(calls.asked.filter((call) => call.startsWith("dpkg-query"))[0]).toMatch(/ libnew$/);
  });

  test("without a lifted hold asks for nobody's: apt itself keeps them", async () => {
    const calls = answering([[/ -s /, both], needed, [/^dpkg-query/, "hi \t0.9\tlibnew\n"]]);
    expect(await simulate(calls, change("15.4.6"))).toHaveLength(2);
  });

  test.each([
    { direction: "same", beside: ["libnew"], refused: false },
    { direction: "up", beside: ["libnew"], refused: true },
  ] as const)("$direction beside $beside may change what is half-way of these: refused is $refused", async (given) => {
    const { direction, beside, refused } = given;
    const calls = answering([[/ -s /, both], control(""), [/^dpkg-query/, `iF \t1.0\t${beside[0]}\n`]]);
    const planning = simulate(calls, change("15.4.6", { direction, beside: beside as readonly string[] as PackageName[] }));
    if (refused) expect(await faultOf(planning)).toMatchObject({ code: "plan-refused" });
    else expect(await planning).toHaveLength(2);
  });
});
