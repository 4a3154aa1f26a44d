// Apart from the parser, which a start does not load.

/**
 * Elements whose text readers do not see. The content of a template is not among its children, so the parser never reports
 * it.
 */
export const unread: ReadonlySet<string> = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'iframe',
  'noembed',
  'noframes',
  'title',
])

/** Inline elements, which do not separate words. */
export const inline: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo cite code del dfn em font i ins kbd mark q ruby s samp small span strong sub sup u var wbr'.split(
    ' ',
  ),
)

/** Elements in a line of text: `inline`, which is about words, and those that may stand between two words. */
export const inLine: ReadonlySet<string> = new Set([
  ...inline,
  ...'acronym area basefont bgsound big br button command data font image img input keygen label link map math meta meter nobr output param picture progress rb rbc rp rt rtc select slot source strike svg textarea time track tt'.split(
    ' ',
  ),
])
