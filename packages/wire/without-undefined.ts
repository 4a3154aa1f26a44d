/** The members of an object that have a value: an absent member leaves a setting unchanged, or at its default. */
export const withoutUndefined = <Members extends object>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Members]: Exclude<Members[Key], undefined>
  }
