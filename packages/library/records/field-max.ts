/** The most that fields hold that a person sets: UTF-16 units of a text, items of a list. Log, calls, forms and commands share it. */
export const fieldMax = {
  /** Notes, and the reasons of decisions. */
  text: 10_000,
  /** Of a material. Headings of pages are cut far earlier. */
  title: 1000,
  slug: 500,
  versionTags: 50,
  /** Who decided. */
  personName: 200,
  refusalReason: 500,
  refusedPattern: 300,
  tokenKey: 200,
  description: 1000,
  author: 200,
  /** An address on the web. */
  url: 2000,
  menuLabel: 200,
  footer: 2000,
  /** Posts on each page of a list. */
  postsPerPage: 1000,
  /** Parts of a page whose looks are not compared, and the blocks of one. */
  ignoredParts: 50,
  partBlocks: 200,
  partLabel: 80,
} as const
