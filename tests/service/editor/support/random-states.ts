import fc from 'fast-check'

/** Object texts with the keys in any order and blanks anywhere, as other programs write them. */
const objectText = (members: fc.Arbitrary<readonly (readonly [string, string])[]>): fc.Arbitrary<string> =>
  fc.tuple(members, fc.infiniteStream(fc.nat()), fc.constantFrom('', ' ', '\n  ')).map(([each, order, blank]) => {
    const shuffled = each.map((member) => ({ member, at: order.next().value as number }))
    const text = shuffled
      .toSorted((one, other) => one.at - other.at)
      .map(({ member: [key, value] }) => `${blank}${JSON.stringify(key)}:${blank}${value}`)
    return `{${text.join(',')}${blank}}`
  })

const foreignValue = fc.constantFrom(
  '{}',
  '[]',
  '12345678901234567890',
  '1.0',
  '-0',
  '{"10":1,"2":{"__proto__":{}}}',
  '"\\u0041"',
)

/** Members that no editor of ours writes. */
const foreignMembers = fc.uniqueArray(fc.tuple(fc.constantFrom('id', 'x-settings', '10', '2', 'Größe'), foreignValue), {
  selector: ([key]) => key,
  maxLength: 2,
})

const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const words = text.map((value) => JSON.stringify(value))
const span = fc.oneof(
  words,
  fc
    .record({
      text,
      bold: fc.constantFrom(true, false),
      link: fc.constantFrom(null, 'https://x.example/?a&b="c"', '/a'),
    })
    .map((value) => JSON.stringify(value)),
)
const textMember = fc.oneof(
  words,
  fc.array(span, { maxLength: 4 }).map((spans) => `[${spans.join(',')}]`),
)

/** Any text can name a file, except that a name has to be there. */
const fileName = fc
  .tuple(
    fc.string({ unit: 'grapheme', maxLength: 6 }),
    fc.constantFrom('a.png', 'R&D "1".jpg', "б'<Й>.mp4", 'a b#%20.webp'),
  )
  .map(([start, end]) => `${start}${end}`)

const optional = (...members: readonly (readonly [string, fc.Arbitrary<string>])[]) =>
  fc
    .tuple(
      ...members.map(([key, value]) =>
        fc.option(
          value.map((json) => [key, json] as const),
          { nil: null },
        ),
      ),
    )
    .map((each) => each.filter((member) => member !== null))

const colour = fc.constantFrom('null', '"#102030"', '"#ffffff"')
const font = fc.constantFrom('null', '"Inter"', '"A \\"B\\"</style>"')

const blockOf = (type: string, ...members: readonly fc.Arbitrary<readonly (readonly [string, string])[]>[]) =>
  objectText(
    fc.tuple(foreignMembers, ...members).map((parts) => [['type', JSON.stringify(type)] as const, ...parts.flat()]),
  )

const textFields = optional(['align', fc.constantFrom('"center"', '"start"')], ['font', font], ['text', textMember])
const media = fc
  .tuple(
    fileName.map((name) => [['file', JSON.stringify(name)] as const]),
    optional(
      ['caption', words],
      ['alt', words],
      ['size', fc.constantFrom('"wide"', '"text"')],
      ['width', fc.constant('640')],
    ),
  )
  .map((parts) => parts.flat())

const paragraph = blockOf('paragraph', textFields)
const unknownBlock = fc.oneof(
  blockOf('carousel', optional(['slides', fc.constant('[1]')])),
  fc.constantFrom('7', 'null', '"text"', '[]', '{"type":"heading","level":9}', '{"type":"image"}'),
)

const listOf = (item: fc.Arbitrary<string>, minLength = 0) =>
  fc.array(item, { minLength, maxLength: 3 }).map((items) => [['blocks', `[${items.join(', ')}]`] as const])

const flow = fc.oneof(
  { weight: 3, arbitrary: paragraph },
  { weight: 1, arbitrary: blockOf('heading', textFields, optional(['level', fc.constantFrom('2', '3', '4')])) },
  { weight: 2, arbitrary: blockOf('image', media) },
  { weight: 1, arbitrary: blockOf('video', media) },
  { weight: 1, arbitrary: blockOf('spacer', optional(['size', fc.constant('"large"')])) },
  { weight: 1, arbitrary: blockOf('horizontalRule') },
  { weight: 1, arbitrary: unknownBlock },
  { weight: 1, arbitrary: blockOf('bulletList', listOf(blockOf('listItem', listOf(paragraph)), 1)) },
  { weight: 1, arbitrary: blockOf('blockquote', listOf(paragraph)) },
)
const cell = blockOf(
  'tableCell',
  listOf(flow),
  optional(
    ['role', fc.constantFrom('"header"', '"data"')],
    ['colspan', fc.constantFrom('1', '2')],
    ['rowspan', fc.constant('3')],
  ),
)
const table = blockOf('table', listOf(blockOf('tableRow', listOf(cell, 1)), 1))
const columns = blockOf('columns', listOf(blockOf('column', listOf(flow)), 1))
const section = blockOf(
  'section',
  listOf(fc.oneof(flow, columns, table)),
  optional(['background', colour], ['padding', fc.constant('"large"')]),
)
const anyBlock = fc.oneof({ weight: 4, arbitrary: flow }, columns, section, table)

/** State texts: of this editor, with parts of others in every place, written in many ways. */
export const stateText: fc.Arbitrary<string> = objectText(
  fc
    .tuple(
      optional(
        ['title', words],
        ['blocks', fc.array(anyBlock, { maxLength: 5 }).map((blocks) => `[${blocks.join(' ,')}]`)],
        ['page', objectText(optional(['headingFont', font], ['background', colour], ['other', foreignValue]))],
      ),
      // If a part of another editor is in it, assets are never removed.
      fc.constant([['from', '{"n":12345678901234567890}'] as const]),
      fc.constant([['assets', '{"kept.png":{"clientUrl":"https://x.example/kept.png","n":1.0}}'] as const]),
    )
    .map((parts) => parts.flat()),
)
