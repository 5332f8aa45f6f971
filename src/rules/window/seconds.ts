export const hourSeconds = 3600;
export const daySeconds = 86_400;
export const weekSeconds: number = 7 * daySeconds;
