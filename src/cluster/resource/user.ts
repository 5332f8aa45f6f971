import { listOf, record } from "../../rules/shape/shape.ts";
import { resourceName } from "./name.ts";

/** Roles add up: who needs more than these needs a role that says it. */
export const mostRoles = 64;

export const roleNames = listOf(resourceName, mostRoles);

/** A person who signs in here. How they prove who they are is kept apart, and never shown. */
export const userSpec = record({ roles: roleNames });
