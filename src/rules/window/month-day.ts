/** A day of every year. */
export type MonthDay = { readonly month: number; readonly date: number };

export function isBefore(left: MonthDay, right: MonthDay): boolean {
  return left.month < right.month || (left.month === right.month && left.date < right.date);
}
