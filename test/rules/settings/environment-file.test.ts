import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { environmentFile, parseEnvironmentFile } from "../../../src/rules/settings/environment-file.ts";

// What these rows say was compared with the parsers of systemd 247, 252 and 257 on some 300,000 random files: no difference but for comments that end in a backslash.
describe("parseEnvironmentFile", () => {
  test.each<[string, string, Record<string, string>]>([
    ["nothing", "", {}],
    ["white space alone", " \t\r\n\n ", {}],
    ["a plain value", "A=b", { A: "b" }],
    ["a line's end behind it", "A=b\n", { A: "b" }],
    ["several lines", "A=b\nC=d\n", { A: "b", C: "d" }],
    ["lines ended by carriage returns", "A=b\r\nC=d\rE=f", { A: "b", C: "d", E: "f" }],
    ["the same name twice: the later wins", "A=b\nA=c", { A: "c" }],
    ["an empty value", "A=\nB=\t \nC=''\nD=\"\"", { A: "", B: "", C: "", D: "" }],
    ["white space around name and value", " \tA \t=\t b c \t\n", { A: "b c" }],
    ["an equals sign in a value", "A=b=c", { A: "b=c" }],
    [
      "a proxy with a password",
      "HTTPS_PROXY=http://u:p%40s@proxy.example:3128",
      { HTTPS_PROXY: "http://u:p%40s@proxy.example:3128" },
    ],
    ["no comment behind a value", "A=b # c", { A: "b # c" }],
    ["a value that begins like a comment", "A=#b\nC=;d", { A: "#b", C: ";d" }],
    [
      "a backslash at the end of a comment joins nothing, as since systemd 254",
      "# b\\\nA=c\n; b\\\r\nD=e\n# b\\",
      { A: "c", D: "e" },
    ],
    ["comment lines", "# A=b\n  ; C=d\nE=f", { E: "f" }],
    ["no expansion", "A=$B ${C} `d` ~", { A: "$B ${C} `d` ~" }],
    ["export is part of a name, and no name has a space", "export A=b\nC=d", { C: "d" }],
    ["names that are none", "1A=b\nA-B=c\nA.B=d\n=e\n==f\nÄ=g\n_=h", { _: "h" }],
    ["a line without an equals sign", "A\nB=c\nD", { B: "c" }],
    ["single quotes, literal", "A='b  \\ \" $c #'", { A: 'b  \\ " $c #' }],
    ["single quotes over several lines", "A='b\nc'\nD=e", { A: "b\nc", D: "e" }],
    ["single quotes that never end", "A='b\nC=d", { A: "b\nC=d" }],
    ["double quotes", 'A="b  c #"', { A: "b  c #" }],
    ["double quotes: what a backslash is dropped before", 'A="\\"\\\\\\`\\$"', { A: '"\\`$' }],
    ["double quotes: what a backslash stays before", `A="\\a\\n\\'\\ "`, { A: "\\a\\n\\'\\ " }],
    ["double quotes over several lines", 'A="b\nc"\nD=e', { A: "b\nc", D: "e" }],
    ["double quotes: a joined line", 'A="b\\\nc"', { A: "bc" }],
    ["double quotes: no joining at a carriage return", 'A="b\\\rc"', { A: "b\\\rc" }],
    ["double quotes that never end", 'A="b', { A: "b" }],
    ["double quotes that end in a backslash", 'A="b\\', { A: "b" }],
    ["quoted parts run together, the white space between them lost", "A='b' \"c\"\t'd'", { A: "bcd" }],
    ["a plain part behind a quoted one", "A='b ' c d ", { A: "b c d" }],
    ["quotes inside a plain part are ordinary signs", "A=b'c' \"d\"", { A: "b'c' \"d\"" }],
    ["a comment sign behind quotes belongs to the value", "A='b' # c", { A: "b# c" }],
    ["a backslash takes the next sign as it is", "A=\\'b\\\\c\\d\\$", { A: "'b\\cd$" }],
    ["a joined line", "A=b\\\nc", { A: "bc" }],
    ["a joined line keeps its white space", "A=b \\\n  c", { A: "b   c" }],
    ["joined before it begins", "A=\\\n b\nC=d", { A: " b", C: "d" }],
    ["joined to nothing", "A=b\\\n\nC=d", { A: "b", C: "d" }],
    ["a backslash before both signs of a line's end takes only the first", "A=b\\\r\nC=d", { A: "b", C: "d" }],
    ["white space that was escaped stays", "A=b\\ \nC=d\\ \t ", { A: "b ", C: "d " }],
    ["a backslash at the very end", "A=b \\", { A: "b " }],
    ["signs beyond ASCII", "A=é😀\u00a0", { A: "é😀\u00a0" }],
    ["a byte order mark spoils the first name", "\uFEFFA=b\nC=d", { C: "d" }],
    ["a NUL spoils the file", "A=b\nC=d\0", {}],
    ["bytes that were no UTF-8 spoil the file", "A=b\nC=\uFFFD", {}],
    ["so do they in a name", "A=b\nC\uFFFD=d", {}],
    ["but not in a comment or in a line that says nothing", "# \uFFFD\n\uFFFD\nA=b", { A: "b" }],
    ["noncharacters spoil the file", "A=b\nC=\uFFFE", {}],
    ["names of an object's own", "__proto__=a\nconstructor=b", JSON.parse('{"__proto__":"a","constructor":"b"}')],
  ])("%s: %j", (_title, text, expected) => {
    expect(parseEnvironmentFile(text)).toStrictEqual(expected);
  });

  test("gives back every value that was put between single quotes", () => {
    fc.assert(
      fc.property(fc.string(), (noise) => {
        const value = noise.replaceAll("'", "");
        expect(parseEnvironmentFile(`A='${value}'\nB=c`)).toStrictEqual({ A: value, B: "c" });
      }),
    );
  });

  test("never fails, whatever it reads, and names only what can be a variable", () => {
    const text = fc
      .array(fc.constantFrom("A", "=", "\\", "'", '"', "\n", "\r", " ", "#", ";", "é", "\0"))
      .map((signs) => signs.join(""));
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: "binary" })), (file) => {
        for (const name of Object.keys(parseEnvironmentFile(file))) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_]*$/);
      }),
    );
  });
});

describe("an environment file for systemd", () => {
  test("quotes what systemd would read in another way", () => {
    expect(environmentFile({ A: undefined })).toBe("");
    expect(environmentFile({ A: "plain", B: 'a "b" \\ $c `d` #e ;f' })).toBe(
      'A="plain"\nB="a \\"b\\" \\\\ \\$c \\`d\\` #e ;f"\n',
    );
  });

  test.each(["a\nb", "a\rb", "a\0b"])("refuses %j, which would be more than one value", (value) => {
    expect(() => environmentFile({ http_proxy: value })).toThrow("holds a line break");
  });

  test("says what it was made of", () => {
    const text = fc.string({ unit: "binary" }).filter((value) => !/[\n\r\0\uFFFD\p{Noncharacter_Code_Point}]/u.test(value));
    fc.assert(
      fc.property(text, (value) => {
        expect(parseEnvironmentFile(environmentFile({ HTTPS_PROXY: value }))).toEqual({ HTTPS_PROXY: value });
      }),
    );
  });
});
