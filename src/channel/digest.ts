/** The header in which an instance says what its channels are: answers of different ones come from instances that disagree. */
export const channelsHeader = "x-svc-channels";
