// Contacts and overlap: a scene loads their code together, since both are about what two solids have in common.

export { contacts } from './entries/contacts.ts';
export { overlap } from './entries/overlap.ts';
