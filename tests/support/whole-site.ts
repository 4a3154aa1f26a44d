import type { PageSettings } from '../../packages/library/records/site-model-fields.ts'

// A site of every kind of page and file, made by arithmetic: the same on every run.

const languages = ['en', 'ru', 'ar'] as const
type Language = (typeof languages)[number]

/** Every type that Galley knows, as the ends of file names. */
const pictures = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'apng', 'bmp', 'ico', 'tiff'] as const
const films = ['mp4', 'webm', 'ogv', 'm4v', 'mov'] as const
const sounds = ['wav', 'mp3', 'm4a', 'aac', 'ogg', 'opus', 'flac'] as const
const documents = ['pdf', 'txt', 'srt', 'vtt', 'json', 'css', 'lottie', 'otf', 'ttf', 'woff', 'woff2', 'eot'] as const
export const fileTypes: readonly string[] = [...pictures, 'svg', ...films, ...sounds, ...documents]

const words: Readonly<Record<Language, readonly string[]>> = {
  en: ['harbour', 'market', 'bridge', 'garden', 'river', 'winter', 'library', 'museum'],
  ru: ['гавань', 'рынок', 'мост', 'сад', 'река', 'зима', 'библиотека', 'музей'],
  ar: ['ميناء', 'سوق', 'جسر', 'حديقة', 'نهر', 'شتاء', 'مكتبة', 'متحف'],
}
const wordOf = (language: Language, at: number): string => words[language][(at * 7) % 8] ?? ''

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

/** A tenth of a second of silence. */
function silence(): Buffer {
  const samples = Buffer.alloc(800, 128)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

/** The bytes of a file. Those of a browser's own formats can be shown; others are only fetched. */
function bytesOf(type: string, at: number): Buffer {
  if (type === 'svg')
    return Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><title>${at}</title><rect width="8" height="8"/></svg>`,
    )
  if (type === 'wav') return Buffer.concat([silence(), Buffer.from(String(at))])
  // The number makes each file another one; readers of pictures stop before it.
  return Buffer.concat([...((pictures as readonly string[]).includes(type) ? [png] : []), Buffer.from(`${type} ${at}`)])
}

export interface WholePage {
  readonly materialId: string
  readonly language: Language
  readonly title: string
  readonly html: string
  readonly files: Readonly<Record<string, Buffer>>
  readonly settings: Partial<Omit<PageSettings, 'path'>>
}

const idOf = (at: number): string => `item-${at}`

/** The content of one page; eight kinds take turns. */
function bodyOf(at: number, language: Language): { readonly html: string; readonly types: readonly string[] } {
  const pick = (from: readonly string[]): string => from[Math.floor(at / 8) % from.length] ?? ''
  const file = (type: string): string => `dummy-file.${type}`
  switch (at % 8) {
    case 0: {
      const type = pick(pictures)
      return {
        html: `<figure><img src="${file(type)}" alt="${wordOf(language, at)}" width="8" height="8"><figcaption>${at}</figcaption></figure>`,
        types: [type],
      }
    }
    case 1:
      return {
        html: `<picture><source srcset="${file('webp')} 1x" type="image/webp"><img src="${file('png')}" srcset="${file('png')} 1x, ${file('gif')} 2x" alt=""></picture>`,
        types: ['webp', 'png', 'gif'],
      }
    case 2: {
      const film = pick(films)
      return {
        html: `<video controls preload="none" poster="${file('png')}"><source src="${file(film)}"><track src="${file('vtt')}" kind="captions" srclang="en" label="English"></video>`,
        types: [film, 'png', 'vtt'],
      }
    }
    case 3: {
      const sound = pick(sounds)
      return {
        html: `<audio controls preload="metadata" src="${file('wav')}"></audio><audio controls preload="none" src="${file(sound)}"></audio>`,
        types: ['wav', sound],
      }
    }
    case 4: {
      const types = [pick(documents), documents[(Math.floor(at / 8) + 5) % documents.length] ?? 'pdf']
      return { html: `<ul>${types.map((type) => `<li><a href="${file(type)}">${type}</a></li>`).join('')}</ul>`, types }
    }
    case 5:
      return {
        html: `<img src="${file('svg')}" alt="" width="8" height="8"><div style="background-image:url(${file('jpg')})">.</div>`,
        types: ['svg', 'jpg'],
      }
    case 6:
      return {
        html: `<table><tr><th>${wordOf(language, at)}</th><td>${at}</td></tr></table><pre><code>let at = ${at}</code></pre><blockquote>“…”</blockquote>`,
        types: [],
      }
    default:
      return { html: `<div><a href="#part">${wordOf(language, at + 1)}</a></div>`, types: [] }
  }
}

/** The pages of a site, by default 200 in three languages, one of them from right to left. */
export function wholeSite(count = 200): readonly WholePage[] {
  return Array.from({ length: count }, (_, at): WholePage => {
    const language = languages[at % languages.length] ?? 'en'
    const [first, second] = [wordOf(language, at), wordOf(language, at + 3)]
    // Some pages share a title, so that their addresses need a suffix.
    const title = at % 20 === 0 ? first : `${first} ${second} ${at}`
    const { html, types } = bodyOf(at, language)
    const next = idOf((at + 1) % count)
    // None leads to a draft, which would be a broken link.
    const links = [next, idOf((at + 50) % count)].filter((id) => !isDraft(id))
    const text = [
      `<h1>${title}</h1><p>${Array.from({ length: 30 }, (_, more) => wordOf(language, at + more)).join(' ')} unique${at}.</p>`,
      html,
      `<h2 id="part">${second}</h2>`,
      ...links.map((id) => `<p><a href="galley:material/${id}#part">${id}</a></p>`),
    ].join('\n')
    // A whole document, as some editors store it, every second with a main part of its own.
    const body = at % 18 === 4 ? `<main>${text}</main>` : text
    const whole = `<!doctype html><html lang="${language}"><head><title>${title}</title><style>.x{color:inherit}</style></head><body>${body}</body></html>`
    return {
      materialId: idOf(at),
      language,
      title,
      html: at % 9 === 4 ? whole : text,
      files: Object.fromEntries([...new Set(types)].map((type) => [`file.${type}`, bytesOf(type, at)])),
      settings: settingsOf(at, language, types),
    }
  })
}

const isDraft = (materialId: string): boolean => /^item-\d*77$/.test(materialId)

function settingsOf(at: number, language: Language, types: readonly string[]): WholePage['settings'] {
  return {
    language,
    published: new Date(Date.UTC(2024 + (at % 3), at % 12, 1 + (at % 28), 9)).toISOString(),
    tags: [wordOf(language, at % 4), ...(at % 5 === 0 ? ['Sea & sand'] : [])],
    ...(at % 6 === 0 && { author: 'Ada Quay' }),
    ...(at % 4 === 0 && { description: `${wordOf(language, at)}: “${at}” & more` }),
    ...(isDraft(idOf(at)) && { state: 'draft' as const }),
    ...(at % 33 === 5 && { state: 'hidden' as const }),
    ...(at % 40 === 7 && { type: 'page' as const }),
    ...(at === 3 && { pinned: true }),
    ...(at % 25 === 1 && { redirectsFrom: [`old/path-${at}`] }),
    ...(at % 16 === 0 && types.includes('png') && { socialImage: 'file.png' }),
  }
}
