/** A rule that refuses saves of a material from now on; null accepts them. */
export const refusal = (reason: string | null) =>
  reason === null ? null : { reason: reason.trim(), since: new Date().toISOString() }
