/** A pair of pages with planted changes, and what was planted: an oracle that knows nothing of how pages are compared. */
export interface PlantedPair {
  readonly before: string
  readonly after: string
  readonly kind: PlantedKind | null
  /** The ids of the elements that were changed: of the page after the change, or of the first page for a removal. */
  readonly planted: readonly string[]
  /** The ids of all leaves of both pages. */
  readonly ids: readonly string[]
}

export const plantedKinds = ['insert', 'remove', 'move', 'edit', 'picture', 'recolour', 'font', 'reflow'] as const
export type PlantedKind = (typeof plantedKinds)[number]
const scripts = [
  'night train wagon river harbour window kitchen teacher morning letter garden winter market bridge station paper',
  'ночь поезд вагон река гавань окно кухня учитель утро письмо сад зима рынок мост станция бумага рассказ музыка',
  'ليل قطار عربة نهر ميناء نافذة مطبخ معلم صباح رسالة حديقة شتاء سوق جسر محطة ورقة قصة موسيقى رقم جواب سؤال',
  '夜晚 火车 车厢 河流 港口 窗户 厨房 老师 早晨 信件 花园 冬天 市场 桥梁 车站 报纸 故事 音乐 数字 回答 问题',
].map((words) => words.split(' '))

interface Leaf {
  readonly id: string
  readonly tag: 'h2' | 'p' | 'li' | 'figure'
  readonly text: string
  readonly picture: string
}

const drawing = (colour: string): string =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="240" height="120"><rect width="240" height="120" fill="${colour}"/><circle cx="60" cy="60" r="40" fill="white"/></svg>`)}`

const layouts = [
  'main { max-width: 720px; margin: 30px auto }',
  'main { padding: 3vw } h2 { font-size: 2.6vw } p { margin: 1.7vw 0 }',
  'main { width: 55%; padding: 20px } #side { position: absolute; top: 120px; inset-inline-end: 20px; width: 24vw; border: 1px solid #888 }',
  'main { display: flex; flex-direction: column; gap: 13px; padding: 24px; border: 2px solid #c8c8c8; margin: 12px }',
]

function markup({ id, tag, text, picture }: Leaf): string {
  if (tag === 'figure')
    return `<figure id="${id}"><img src="${picture}" alt=""><figcaption>${text}</figcaption></figure>`
  return tag === 'li' ? `<ul><li id="${id}">${text}</li></ul>` : `<${tag} id="${id}">${text}</${tag}>`
}

/** @param random Numbers from 0 to 1, the same for the same seed */
export function plantedPair(random: () => number, kind: PlantedKind | null): PlantedPair {
  const upTo = (max: number): number => Math.floor(random() * max)
  const one = <Item>(items: readonly Item[]): Item => items[upTo(items.length)] as Item
  const words = one(scripts)
  const sentence = (min: number, max: number): string =>
    `${Array.from({ length: min + upTo(max - min) }, () => one(words)).join(words[0] === '夜晚' ? '' : ' ')} ${upTo(1e6)}.`
  let made = 0
  const leaf = (tag: Leaf['tag'] = one(['h2', 'p', 'p', 'p', 'li', 'figure'] as const)): Leaf => ({
    id: `b${(made += 1)}`,
    tag,
    text: tag === 'p' ? sentence(12, 60) : sentence(3, 9),
    picture: tag === 'figure' ? drawing(`hsl(${upTo(360)} 60% ${30 + upTo(30)}%)`) : '',
  })
  const leaves = Array.from({ length: 8 + upTo(20) }, () => leaf())
  const layout = one(layouts)
  const side = layout.includes('#side') ? `<aside id="side">${sentence(4, 9)}</aside>` : ''
  const direction = words === scripts[2] ? 'rtl' : 'ltr'
  const html = (leaves: readonly Leaf[], style: string): string =>
    `<!doctype html><html lang="x" dir="${direction}"><head><title>T</title><style>body { margin: 0; font: 16px/1.5 sans-serif } img { max-width: 100% } ${layout} ${style}</style></head><body><main>${leaves.map(markup).join('\n')}</main>${side}</body></html>`
  const at = upTo(leaves.length)
  const chosen = leaves[at] as Leaf
  const pictured = leaves.findIndex(({ tag }) => tag === 'figure')
  const plant = (): {
    readonly after: readonly Leaf[]
    readonly style: string
    readonly planted: readonly string[]
  } => {
    const changed = (number: number, change: Partial<Leaf>) => ({
      after: leaves.map((each, order) => (order === number ? { ...each, ...change } : each)),
      style: '',
      planted: [leaves[number]?.id ?? ''],
    })
    const styled = (style: string, { id } = chosen) => ({ after: leaves, style: `#${id} { ${style} }`, planted: [id] })
    switch (kind) {
      case 'insert': {
        const added = leaf(one(['h2', 'p', 'figure'] as const))
        return { after: leaves.toSpliced(at, 0, added), style: '', planted: [added.id] }
      }
      case 'remove':
        return { after: leaves.toSpliced(at, 1), style: '', planted: [chosen.id] }
      case 'move': {
        const paragraph = leaf('p')
        leaves.splice(0, 0, paragraph)
        return { after: [...leaves.slice(1), paragraph], style: '', planted: [paragraph.id] }
      }
      case 'edit':
        return changed(at, { text: `${chosen.text} ${sentence(2, 5)}` })
      case 'picture':
        if (pictured === -1) leaves.push(leaf('figure'))
        return changed(pictured === -1 ? leaves.length - 1 : pictured, { picture: drawing('#207040') })
      case 'recolour':
        return styled('color: #b01030')
      case 'font':
        return styled('font-family: monospace')
      case 'reflow': {
        // A short text may be as before in a narrower space.
        const long = { ...leaf('p'), text: sentence(50, 60) }
        leaves.splice(at, 0, long)
        return styled('padding-inline-end: 45%', long)
      }
      case null:
        return { after: leaves, style: '', planted: [] }
    }
  }
  const { after, style, planted } = plant()
  const ids = [...new Set([...leaves, ...after].map(({ id }) => id)), ...(side === '' ? [] : ['side'])]
  // The same rules in both pages where none was planted, since their texts are compared too.
  return { before: html(leaves, ''), after: html(after, style), kind, planted, ids }
}
