import { listOf, mapping, needed, type Form, type ValuesOf } from "./form.ts";
import { resourceName } from "./name.ts";

/** Roles add up: whoever needs more of them needs one that says it. */
export const mostRoles = 64;

const keys = { roles: needed(listOf(resourceName, mostRoles)) };

/** A person who signs in here. How they prove who they are is kept apart, and never shown. */
export const userSpec: Form<ValuesOf<typeof keys>> = mapping(keys);
