import { useTranslation } from 'react-i18next'

import { useFormats } from '../i18n/formats.ts'
import words from '../ui/words.module.css'
import type { Item, ShownSide } from './item.ts'
import styles from './lightbox.module.css'
import type { Loading } from './loaded.ts'

interface Props {
  readonly item: Item
  readonly before: Loading
  readonly after: Loading
}

const rows = ['file', 'pixels', 'length', 'weight', 'alt'] as const
type Row = (typeof rows)[number]

/** What there is to know of a file, beside that of the one that it replaced. What differs stands out. */
export function FileFacts({ item, before, after }: Props) {
  const { t } = useTranslation('media')
  const factsOf = useFactsOf()
  const [one, other] = [factsOf(item.before, before), factsOf(item.after, after)]
  const sides = [...(one === null ? [] : [one]), ...(other === null ? [] : [other])]
  return (
    <table className={styles.facts}>
      {sides.length === 2 && (
        <thead>
          <tr>
            <th scope="col">
              <span className={words.unseen}>{t('facts.what')}</span>
            </th>
            <th scope="col">{t('before')}</th>
            <th scope="col">{t('after')}</th>
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row) => {
          const texts = sides.map((side) => side[row])
          if (texts.every((text) => text === null)) return null
          return (
            <tr key={row} data-differs={texts.length === 2 && texts[0] !== texts[1] ? '' : undefined}>
              <th scope="row">{t(`facts.${row}`)}</th>
              {texts.map((text, side) => (
                <td key={side === 0 ? 'first' : 'second'}>{text ?? '—'}</td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function useFactsOf(): (side: ShownSide | null, loading: Loading) => Readonly<Record<Row, string | null>> | null {
  const { t } = useTranslation('media')
  const formats = useFormats()
  return (side, loading) => {
    if (side === null) return null
    const shown = loading.kind === 'loaded' ? loading.loaded : null
    const seconds = shown?.seconds
    const pixels = shown && { width: formats.count(shown.pixels.width), height: formats.count(shown.pixels.height) }
    return {
      file: side.name,
      pixels: pixels && t('pixels', pixels),
      length: seconds === undefined ? null : seconds === null ? t('noLength') : lengthOf(seconds),
      weight: side.file && formats.size(side.file.sizeBytes),
      alt: side.alts.length === 0 ? t('noAlt') : side.alts.map((alt) => (alt === '' ? t('emptyAlt') : alt)).join(' · '),
    }
  }
}

/** The length of a film, as players show it: `1:02:03`. */
function lengthOf(seconds: number): string {
  const whole = Math.round(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const padded = (part: number): string => String(part).padStart(2, '0')
  return [...(hours > 0 ? [hours, padded(minutes)] : [minutes]), padded(whole % 60)].join(':')
}
