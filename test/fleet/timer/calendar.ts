import type { UnixSeconds } from "../../../src/window/window.ts";

/** For each second of a day the first instant after it, counted from that day's midnight in UTC. */
export type Calendar = { readonly afterSecond: Uint32Array };

const daySeconds = 86_400;

const words: Readonly<Record<string, string>> = { minutely: "*:*", hourly: "*:00", daily: "00:00" };

/** The part of systemd.time(7) that says when in a day; what names dates, weekdays or time zones is refused. */
export function parseCalendar(expressions: readonly string[]): Calendar {
  const elapses = [...new Set(expressions.flatMap(elapsesOfDay))].sort((left, right) => left - right);
  const [first] = elapses;
  if (first === undefined) throw new Error("a timer without OnCalendar= is not understood here");
  const afterSecond = new Uint32Array(daySeconds).fill(first + daySeconds);
  for (const elapse of elapses.toReversed()) afterSecond.fill(elapse, 0, elapse);
  return { afterSecond };
}

/** The first one later than an instant. */
export function elapseAfter({ afterSecond }: Calendar, instant: UnixSeconds): UnixSeconds {
  const second = Math.floor(instant);
  const midnight = Math.floor(second / daySeconds) * daySeconds;
  return midnight + afterSecond[second - midnight]!;
}

function elapsesOfDay(expression: string): readonly number[] {
  const match = /^(?:\*-\*-\*\s+)?([^\s:]+):([^\s:]+)(?::([^\s:]+))?$/.exec(words[expression] ?? expression);
  if (match === null) throw new Error(`OnCalendar=${expression} is not understood here`);
  const [hours, minutes, seconds] = [component(match[1]!, 24), component(match[2]!, 60), component(match[3] ?? "0", 60)];
  return hours.flatMap((hour) => minutes.flatMap((minute) => seconds.map((second) => (hour * 60 + minute) * 60 + second)));
}

/** `*`, `5`, `0/10`, `8..17`, `8..17/2`, and lists of such. */
function component(text: string, count: number): readonly number[] {
  return text.split(",").flatMap((item) => {
    const match = /^(?:(\*)|(\d+)(?:\.\.(\d+))?)(?:\/(\d+))?$/.exec(item);
    if (match === null) throw new Error(`"${text}" is no part of a calendar expression that is understood here`);
    const first = Number(match[2] ?? 0);
    const isOne = match[1] === undefined && match[3] === undefined && match[4] === undefined;
    const last = isOne ? first : Number(match[3] ?? count - 1);
    const step = Number(match[4] ?? 1);
    if (first >= count || last >= count || step === 0) throw new Error(`"${text}" names what no day has`);
    return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step);
  });
}
