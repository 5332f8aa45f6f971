/** What hostile clients do with their connections. Cut, they connect again. */
export const manners = {
  "ask without reading": "questions as fast as they are taken, and no answer is read",
  "ask without waiting": "questions as fast as they are taken; the answers are read",
  "ask by halves": "half of a question, and nothing more",
  "keep connections": "connections that ask nothing",
} as const;

export type Manner = keyof typeof manners;
