// `nearfield/contacts`: where and how two bodies press on one another.

export {
  type ContactOptions,
  type ContactPatch,
  type ContactPoint,
  type Contacts,
  contacts,
  contactsSync,
} from '../contacts/contacts.ts';
export type { Limits } from '../core/limits.ts';
