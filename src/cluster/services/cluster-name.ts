/** Restricts a cluster's name: people's computers write it into files that other programs read. */
export const clusterNamePattern: RegExp = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,62}[A-Za-z0-9])?$/;
