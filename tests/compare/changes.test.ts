import { describe, expect, it } from 'vitest'

import type { Change } from '../../packages/compare/index.ts'
import { changesOf, readPage } from '../../packages/compare/index.ts'

const asIs = () => null
const between = (before: string, after: string): readonly Change[] =>
  changesOf(readPage(before, asIs), readPage(after, asIs))

/** Kind, block, texts and counts of words: what a list of changes says. */
const said = (before: string, after: string): readonly string[] =>
  between(before, after).map(
    ({ kind, block, before, after, words }) => `${kind} ${block} ${before} > ${after} -${words.removed}+${words.added}`,
  )

const page = (...middle: readonly string[]): string =>
  [
    '<h1>Night trains are back</h1>',
    '<p>More people travel by night than ten years ago.</p>',
    ...middle,
    '<p>The next timetable begins in December.</p>',
    '<p>Tickets are sold half a year before.</p>',
  ].join('\n')
const wagon = '<p>Every wagon has twelve beds and a small kitchen for the crew.</p>'
const longText =
  'Every wagon has twelve beds and a small kitchen for the crew, which is on duty from the first evening to the last morning and sleeps in turns on a narrow bench at the window.'
const long = `<p>${longText}</p>`
const bridge = '<p>Below the bridge the river turns north towards the harbour.</p>'

describe('a list of changes', () => {
  it.each<[string, string, string, readonly string[]]>([
    ['nothing', page(wagon), page(wagon), []],
    ['other white space', page(wagon), page(wagon.replaceAll(' ', '\n  ')), []],
    [
      'a new paragraph',
      page(wagon),
      page(wagon, bridge),
      ['inserted paragraph null > Below the bridge the river turns north towards the harbour. -0+10'],
    ],
    [
      'a removed paragraph',
      page(wagon, bridge),
      page(bridge),
      ['removed paragraph Every wagon has twelve beds and a small kitchen for the crew. > null -12+0'],
    ],
    [
      'an item of a list at another place',
      page('<ul><li>Apples</li><li>Pears</li><li>Plums</li></ul>'),
      page('<ul><li>Plums</li><li>Apples</li><li>Pears</li></ul>'),
      ['moved list_item Plums > Plums -0+0'],
    ],
    [
      'a short heading at another place',
      page('<h2>Fares</h2>', wagon, '<h2>Routes</h2>', bridge),
      page('<h2>Routes</h2>', bridge, '<h2>Fares</h2>', wagon),
      [
        'moved heading Fares > Fares -0+0',
        'moved paragraph Every wagon has twelve beds and a small kitchen for the crew. > Every wagon has twelve beds and a small kitchen for the crew. -0+0',
      ],
    ],
    [
      'a list without its items',
      page('<ul><li>Apples</li><li>Pears</li></ul>', wagon),
      page('<ul></ul>', wagon),
      ['removed list_item Apples > null -1+0', 'removed list_item Pears > null -1+0'],
    ],
    [
      'edited words',
      page(wagon),
      page(wagon.replace('twelve', 'ten')),
      [
        'edited paragraph Every wagon has twelve beds and a small kitchen for the crew. > Every wagon has ten beds and a small kitchen for the crew. -1+1',
      ],
    ],
    [
      'another text at the same place',
      page(wagon),
      page(bridge),
      [
        'removed paragraph Every wagon has twelve beds and a small kitchen for the crew. > null -12+0',
        'inserted paragraph null > Below the bridge the river turns north towards the harbour. -0+10',
      ],
    ],
    [
      'a split paragraph',
      page('<p>Every wagon has twelve beds. The crew has a small kitchen.</p>'),
      page('<p>Every wagon has twelve beds.</p><p>The crew has a small kitchen.</p>'),
      [
        'split paragraph Every wagon has twelve beds. The crew has a small kitchen. > Every wagon has twelve beds.\nThe crew has a small kitchen. -0+0',
      ],
    ],
    [
      'a paragraph between the parts of another',
      page('<p>Every wagon has twelve beds. The crew has a small kitchen.</p>'),
      page('<p>Every wagon has twelve beds.</p>', '<img src="a.jpg">', bridge, '<p>The crew has a small kitchen.</p>'),
      [
        'split paragraph Every wagon has twelve beds. The crew has a small kitchen. > Every wagon has twelve beds.\nThe crew has a small kitchen. -0+0',
        'inserted figure null > a.jpg -0+0',
        'inserted paragraph null > Below the bridge the river turns north towards the harbour. -0+10',
      ],
    ],
    [
      'a heading of words that the text before it has too',
      page(long),
      page(long.replace('twelve', 'ten'), '<h2>At the window</h2>'),
      [
        `edited paragraph ${longText} > ${longText.replace('twelve', 'ten')} -1+1`,
        'inserted heading null > At the window -0+3',
      ],
    ],
    [
      'joined paragraphs',
      page('<p>Every wagon has twelve beds.</p><p>The crew has a small kitchen.</p>'),
      page('<p>Every wagon has twelve beds. The crew has a small kitchen.</p>'),
      [
        'joined paragraph Every wagon has twelve beds.\nThe crew has a small kitchen. > Every wagon has twelve beds. The crew has a small kitchen. -0+0',
      ],
    ],
    [
      'a replaced picture',
      page('<figure><img src="m/a.jpg" width="10"><figcaption>A wagon</figcaption></figure>'),
      page('<figure><img src="m/b.jpg" width="20"><figcaption>A wagon</figcaption></figure>'),
      ['picture figure a.jpg > b.jpg -0+0'],
    ],
    [
      'a replaced picture without a text',
      page('<p><img src="m/a.jpg"></p>'),
      page('<p><img src="m/b.jpg"></p>'),
      ['picture figure a.jpg > b.jpg -0+0'],
    ],
    [
      'a caption',
      page('<figure><img src="a.jpg"><figcaption>A wagon in Vienna</figcaption></figure>'),
      page('<figure><img src="a.jpg"><figcaption>A wagon in Berlin</figcaption></figure>'),
      ['edited figure A wagon in Vienna > A wagon in Berlin -1+1'],
    ],
    [
      'another address of a link',
      page('<p>Read <a href="/one">more</a> here.</p>'),
      page('<p>Read <a href="/two">more</a> here.</p>'),
      ['attribute paragraph Read more here. > Read more here. -0+0'],
    ],
    [
      'an alternative text',
      page('<img src="a.jpg" alt="A wagon">'),
      page('<img src="a.jpg" alt="A train">'),
      ['attribute figure a.jpg > a.jpg -0+0'],
    ],
    [
      'another frame',
      page('<iframe src="https://a.example/1"></iframe>'),
      page('<iframe src="https://a.example/2"></iframe>'),
      ['attribute embed https://a.example/1 > https://a.example/2 -0+0'],
    ],
    [
      'a color',
      page('<p>A text of some words.</p>'),
      page('<p style="color: red">A text of some words.</p>'),
      ['style paragraph A text of some words. > A text of some words. -0+0'],
    ],
    [
      'bold words elsewhere',
      page('<p>A <b>text</b> of some words.</p>'),
      page('<p>A text of <b>some</b> words.</p>'),
      ['style paragraph A text of some words. > A text of some words. -0+0'],
    ],
    [
      'another level of a heading',
      page('<h2>On the way</h2>'),
      page('<h3>On the way</h3>'),
      ['style heading On the way > On the way -0+0'],
    ],
    [
      'a numbered list',
      page('<ul><li>One bed</li><li>Two beds</li></ul>'),
      page('<ol><li>One bed</li><li>Two beds</li></ol>'),
      ['style container  >  -0+0'],
    ],
    [
      'a nested item',
      page('<ul><li>Beds<ul><li>upper</li></ul></li></ul>'),
      page('<ul><li>Beds<ul><li>upper</li><li>lower</li></ul></li></ul>'),
      ['inserted list_item null > lower -0+1'],
    ],
    [
      'a cell',
      page('<table><tr><td>Vienna<td>12<td>3</tr><tr><td>Berlin<td>12<td>4</table>'),
      page('<table><tr><td>Vienna<td>12<td>3</tr><tr><td>Berlin<td>15<td>4</table>'),
      ['edited cell 12 > 15 -1+1'],
    ],
    [
      'numbers that changed places',
      page('<table><tr><td>Vienna<td>12<td>3</tr><tr><td>Berlin<td>5<td>4</table>'),
      page('<table><tr><td>Vienna<td>5<td>3</tr><tr><td>Berlin<td>12<td>4</table>'),
      ['edited cell 12 > 5 -1+1', 'edited cell 5 > 12 -1+1'],
    ],
    [
      'a text that moved to another one of repeated blocks',
      page(wagon, '<p>Read more</p>', bridge, '<h2>Prices</h2>', '<p>Read more</p>', '<p>Open at six</p>'),
      page('<p>Read more</p>', bridge, '<h2>Prices</h2>', wagon, '<p>Read more</p>', '<p>Open at ten</p>'),
      [
        'moved paragraph Every wagon has twelve beds and a small kitchen for the crew. > Every wagon has twelve beds and a small kitchen for the crew. -0+0',
        'edited paragraph Open at six > Open at ten -1+1',
      ],
    ],
    [
      'a box around texts',
      page(wagon, bridge),
      page(`<section class="box">${wagon}${bridge}</section>`),
      ['inserted container null >  -0+0'],
    ],
    [
      'a box in a box',
      page(`<section class="x">${wagon}${bridge}</section>`),
      page(`<section class="x"><div class="y">${wagon}${bridge}</div></section>`),
      ['inserted container null >  -0+0'],
    ],
    [
      'a box less',
      page(`<section class="x"><div class="y">${wagon}${bridge}</div></section>`),
      page(`<section class="x">${wagon}${bridge}</section>`),
      ['removed container  > null -0+0'],
    ],
    [
      'another link in a split text',
      page('<p>Every wagon has twelve beds. The <a href="/a">crew</a> has a small kitchen.</p>'),
      page('<p>Every wagon has twelve beds.</p><p>The <a href="/b">crew</a> has a small kitchen.</p>'),
      [
        'split paragraph Every wagon has twelve beds. The crew has a small kitchen. > Every wagon has twelve beds.\nThe crew has a small kitchen. -0+0',
        'attribute paragraph Every wagon has twelve beds. The crew has a small kitchen. > Every wagon has twelve beds.\nThe crew has a small kitchen. -0+0',
      ],
    ],
    ['a box that looks like nothing', page(wagon, bridge), page(`<div>${wagon}${bridge}</div>`), []],
    [
      'a misspelt word alone',
      page('<h2>Kitchn</h2>'),
      page('<h2>Kitchen</h2>'),
      ['edited heading Kitchn > Kitchen -1+1'],
    ],
    [
      'a direct text of a container',
      page('<div>One text <p>of its own</p> and another one</div>'),
      page('<div>One text <p>of its own</p> and another two</div>'),
      ['edited paragraph and another one > and another two -1+1'],
    ],
    [
      'signs',
      page('<p>Tickets, please!</p>'),
      page('<p>Tickets, please.</p>'),
      ['edited paragraph Tickets, please! > Tickets, please. -0+0'],
    ],
    [
      'words without spaces between them',
      page('<p>夜行列车每天晚上从维也纳出发,第二天早上到达柏林。</p>'),
      page('<p>夜行列车每天晚上从布拉格出发,第二天早上到达柏林。</p>'),
      [
        'edited paragraph 夜行列车每天晚上从维也纳出发,第二天早上到达柏林。 > 夜行列车每天晚上从布拉格出发,第二天早上到达柏林。 -1+1',
      ],
    ],
  ])('has %s', (_, before, after, expected) => {
    expect(said(before, after)).toStrictEqual(expected)
  })

  it('says of a text that moved and changed both', () => {
    const [first, ...rest] = [wagon, bridge, '<p>Third.</p>', '<p>Fourth, with some more.</p>']
    expect(
      said(page(first ?? '', ...rest), page(...rest, wagon.replace('twelve', 'ten'))).map((each) =>
        each.slice(0, each.indexOf(' ', 9)),
      ),
    ).toStrictEqual(['moved paragraph', 'edited paragraph'])
  })

  it('names the cells that differ in a large table of few values', () => {
    const values = Array.from({ length: 3000 }, (_, at) => String((at * at * 7 + at) % 3))
    const table = (values: readonly string[]): string =>
      `<table>${values.map((value, at) => `${at % 10 === 0 ? '<tr>' : ''}<td>${value}`).join('')}</table>`
    const edited = values.map((value, at) => (at % 300 === 150 ? 'new' : value))
    const found = between(table(values), table(edited))
    expect(found.map(({ kind, after }) => `${kind} ${after}`)).toStrictEqual(Array(10).fill('edited new'))
  })
})

describe('files of a page', () => {
  const files: Readonly<Record<string, string>> = { 'a.png': '1', 'b.png': '2', 'a.mp4': '3', 'b.mp4': '4' }
  const hashOf = (address: string): string | null => files[address] ?? null
  const told = (before: string, after: string) =>
    changesOf(readPage(page(before), hashOf), readPage(page(after), hashOf)).map(({ kind, of, did, files }) =>
      [kind, of, did, ...files.map((pair) => `${pair.before?.file ?? '-'}>${pair.after?.file ?? '-'}`)].join(' '),
    )
  const box = (style: string): string => `<div style="${style}"><p>What is written in the box stays.</p></div>`

  it.each<[string, string, string, readonly string[]]>([
    ['a picture', '<img src="a.png">', '<img src="b.png">', ['picture picture picture 1>2']],
    [
      'a picture more',
      '<p>Text beside the map <img src="a.png"></p>',
      '<p>Text beside the map <img src="a.png"><img src="b.png" class="wide"></p>',
      ['picture picture inserted ->2'],
    ],
    [
      'a described picture more',
      '<p>Text beside the map <img src="a.png" alt="A"></p>',
      '<p>Text beside the map <img src="b.png" alt="B"><img src="a.png" alt="A"></p>',
      ['picture picture inserted ->2'],
    ],
    [
      'a picture less',
      '<p>Text beside the map <img src="a.png"></p>',
      '<p>Text beside the map</p>',
      ['picture picture removed 1>-'],
    ],
    [
      'the same picture once less',
      '<p>Text beside the map <img src="a.png"><img src="a.png"></p>',
      '<p>Text beside the map <img src="a.png"></p>',
      ['picture picture removed 1>-'],
    ],
    [
      'a picture that floats, beside an edited text',
      '<p>Text beside the map <img src="a.png"></p>',
      '<p>Text about the map <img src="a.png" class="left"></p>',
      ['edited  edited', 'style  style'],
    ],
    ['a new figure', '', '<img src="b.png">', ['inserted picture inserted ->2']],
    [
      'a background',
      box('background: url(a.png) #eee'),
      box('background: url(b.png) #eee'),
      ['picture background picture 1>2'],
    ],
    [
      'the second background',
      box('color: red; background-image: url(a.png), url(&quot;a.png&quot;)'),
      box("color: red; background-image: url(a.png), url('b.png')"),
      ['picture background picture 1>2'],
    ],
    [
      'a background behind a text',
      '<p style="background:url(a.png)">Text</p>',
      '<p style="background:url(b.png)">Text</p>',
      ['picture background picture 1>2'],
    ],
    [
      'another picture of a style',
      box('list-style-image: url(a.png)'),
      box('list-style-image: url(b.png)'),
      ['style  style'],
    ],
    ['a video', '<video src="a.mp4"></video>', '<video src="b.mp4"></video>', ['picture video picture 3>4']],
    [
      'the source of a video',
      '<video><source src="a.mp4" type="video/mp4"></video>',
      '<video><source src="b.mp4" type="video/mp4"></video>',
      ['picture video picture 3>4'],
    ],
    [
      'the poster of a video',
      '<video src="a.mp4" poster="a.png"></video>',
      '<video src="a.mp4" poster="b.png"></video>',
      ['picture picture picture 1>2'],
    ],
    ['a sound', '<audio src="a.mp4"></audio>', '<audio src="b.mp4"></audio>', ['picture audio picture 3>4']],
    ['a link', '<p>To <a href="a">there</a></p>', '<p>To <a href="b">there</a></p>', ['attribute link edited']],
    ['an alternative text', '<img src="a.png">', '<img src="a.png" alt="">', ['attribute alt inserted']],
    [
      'a switch',
      '<details><p>More about the night trains.</p></details>',
      '<details open><p>More about the night trains.</p></details>',
      ['attribute  attribute'],
    ],
  ])('%s is named as such', (_, before, after, expected) => {
    expect(told(before, after)).toEqual(expected)
  })
})
