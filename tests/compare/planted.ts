import fc from 'fast-check'

/** A block of a generated page, and what makes its markup. */
export interface Planned {
  readonly kind: 'heading' | 'paragraph' | 'list' | 'table' | 'figure' | 'box'
  /** Texts of the block: one, those of items, or those of cells in rows of three. */
  readonly texts: readonly string[]
  readonly style: string
  readonly picture: string
}

export const vocabularies = [
  'night train wagon river harbour window kitchen teacher morning letter garden winter market bridge station paper story music number answer question light street mountain village doctor summer island forest evening language history picture corner circle engine ticket journey weather distance',
  'ночь поезд вагон река гавань окно кухня учитель утро письмо сад зима рынок мост станция бумага рассказ музыка число ответ вопрос свет улица гора деревня врач лето остров лес вечер язык история картина угол круг мотор билет поездка погода расстояние',
  'ليل قطار عربة نهر ميناء نافذة مطبخ معلم صباح رسالة حديقة شتاء سوق جسر محطة ورقة قصة موسيقى رقم جواب سؤال ضوء شارع جبل قرية طبيب صيف جزيرة غابة مساء لغة تاريخ صورة زاوية دائرة محرك تذكرة رحلة طقس مسافة',
  '夜晚 火车 车厢 河流 港口 窗户 厨房 老师 早晨 信件 花园 冬天 市场 桥梁 车站 报纸 故事 音乐 数字 回答 问题 灯光 街道 高山 村庄 医生 夏天 岛屿 森林 傍晚 语言 历史 图片 角落 圆圈 引擎 车票 旅行 天气 距离',
].map((words) => words.split(' '))

const endings = ['.', '.', '。', '.']

/** Sentences of one script. Numbers in them make most of them unique, as texts of pages are. */
export const sentence = (script: number, min: number, max: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(fc.constantFrom(...(vocabularies[script] ?? [])), { minLength: min, maxLength: max }),
      fc.integer({ min: 0, max: 9999 }),
    )
    .map(([words, number]) => `${words.join(script === 3 ? '' : ' ')} ${number}${endings[script] ?? '.'}`)

const planned = (script: number): fc.Arbitrary<Planned> => {
  const texts = (minLength: number, maxLength: number, words: number) =>
    fc.array(sentence(script, 1, words), { minLength, maxLength })
  const one = (min: number, max: number) => sentence(script, min, max).map((text) => [text])
  const of = (kind: Planned['kind'], texts: fc.Arbitrary<readonly string[]>) =>
    fc.record({
      kind: fc.constant(kind),
      texts,
      style: fc.constantFrom('', '', ' class="lead"', ' style="margin: 1em"'),
      picture: fc.nat(9999).map((number) => `media/p${number}.jpg`),
    })
  return fc.oneof(
    { weight: 2, arbitrary: of('heading', one(3, 8)) },
    { weight: 8, arbitrary: of('paragraph', one(8, 60)) },
    { weight: 2, arbitrary: of('list', texts(2, 6, 10)) },
    {
      weight: 1,
      arbitrary: of(
        'table',
        fc.array(fc.oneof(fc.constantFrom('0', '1', '12'), sentence(script, 1, 4)), { minLength: 6, maxLength: 15 }),
      ),
    },
    { weight: 2, arbitrary: of('figure', one(3, 9)) },
    { weight: 1, arbitrary: of('box', texts(1, 4, 30)) },
  )
}

/** A page of one script, whose paragraphs differ. */
export const aPage: fc.Arbitrary<{ readonly script: number; readonly blocks: readonly Planned[] }> = fc
  .nat(3)
  .chain((script) =>
    fc.record({
      script: fc.constant(script),
      blocks: fc.uniqueArray(planned(script), {
        minLength: 8,
        maxLength: 40,
        selector: ({ texts }) => texts.join('|'),
      }),
    }),
  )

function markup({ kind, texts, style, picture }: Planned): string {
  const [text = ''] = texts
  const each = (before: string, after: string): string => texts.map((text) => before + text + after).join('\n')
  switch (kind) {
    case 'heading':
      return `<h2${style}>${text}</h2>`
    case 'list':
      return `<ul${style}>${each('<li>', '</li>')}<li><ul><li>${text} nested</li></ul></li></ul>`
    case 'table':
      return `<table${style}>${texts.map((text, at) => `${at % 3 === 0 ? '<tr>' : ''}<td>${text}</td>`).join('')}</table>`
    case 'figure':
      return `<figure${style}><img src="${picture}" alt=""><figcaption>${text}</figcaption></figure>`
    case 'box':
      return `<section${style}>${each('<div><p>', '</p></div>')}</section>`
    case 'paragraph':
      return `<p${style}>${text}</p>`
  }
}

export const html = (blocks: readonly Planned[]): string =>
  `<!doctype html><html lang="en"><head><title>T</title></head><body><main>${blocks.map(markup).join('\n')}</main></body></html>`
