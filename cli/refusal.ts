/** A command that cannot be carried out as asked; the message is one line for the person who asked. */
export class Refusal extends Error {}
