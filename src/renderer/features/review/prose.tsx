import type { TextBlock } from '@galley/compare'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Change } from '../../../ipc/desk.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { WaitingPage } from './inbox.ts'
import styles from './prose.module.css'
import { useDesk } from './store.ts'
import { wordPieces } from './word-pieces.ts'

/** A paragraph as it is read: a text of the page, or one that was taken out of it. */
interface Line {
  readonly block: TextBlock | null
  readonly changes: readonly number[]
}

const keyOf = (at: object | null): string => JSON.stringify(at)

/** The texts of a page with their changes; removed ones where they were. */
function linesOf(texts: readonly TextBlock[], changes: readonly Change[]): readonly Line[] {
  const at = new Map<string, number[]>()
  const gone = new Map<string, number[]>()
  const later = new Set<string>()
  for (const [number, { kind, before, to, behind }] of changes.entries()) {
    const [first, ...rest] = to
    for (const place of rest) later.add(keyOf(place))
    const [map, key] = first === undefined ? [gone, keyOf(behind)] : [at, keyOf(first)]
    if (first !== undefined || (kind === 'removed' && before !== null)) map.set(key, [...(map.get(key) ?? []), number])
  }
  const goneBehind = (place: object | null): readonly Line[] =>
    (gone.get(keyOf(place)) ?? []).map((number) => ({ block: null, changes: [number] }))
  return [
    ...goneBehind(null),
    ...texts.flatMap((block) => {
      const key = keyOf(block.at)
      // The parts of a text that was split are shown with the first one.
      const own = later.has(key) && !at.has(key) ? [] : [{ block, changes: at.get(key) ?? [] }]
      return [...own, ...goneBehind(block.at)]
    }),
  ]
}

/** The page as a text to read, with its words that changed. */
export function Prose({ at: { site, materialId, after: versionId } }: { readonly at: WaitingPage }) {
  const { t } = useTranslation('desk')
  const bridge = useBridge()
  const { shown } = useDesk()
  const [read, setRead] = useState<{ readonly of: string; readonly texts: readonly TextBlock[] | null } | null>(null)
  useEffect(() => {
    let isCurrent = true
    void bridge
      .call('readTexts', { site, materialId, versionId })
      .then((answer) => (answer.ok ? answer.value : null))
      .catch(() => null)
      .then((texts) => isCurrent && setRead({ of: versionId, texts }))
    return () => {
      isCurrent = false
    }
  }, [bridge, site, materialId, versionId])
  if (read?.of !== versionId || shown.kind !== 'loaded') return <Skeleton rows={6} />
  if (read.texts === null) return <Message text={t('prose.failed')} isFailure />
  const changes = shown.page.compared?.changes ?? []
  return (
    <div className={styles.prose} data-prose>
      {linesOf(read.texts, changes).map((line) => (
        <Paragraph key={`${keyOf(line.block?.at ?? null)} ${line.changes.join()}`} line={line} changes={changes} />
      ))}
    </div>
  )
}

function Paragraph({
  line: { block, changes: own },
  changes,
}: {
  readonly line: Line
  readonly changes: readonly Change[]
}) {
  const { t } = useTranslation('desk')
  const { change: chosen, goToChange } = useDesk()
  const about = own.flatMap((number) => changes[number] ?? [])
  const kind = block?.kind ?? about[0]?.block
  return (
    <div className={styles.line} data-kind={kind} aria-current={own.includes(chosen ?? -1) ? 'true' : undefined}>
      {own.map((number) => (
        <button
          key={number}
          type="button"
          className={styles.number}
          aria-label={t('prose.change', { number: number + 1 })}
          onClick={() => goToChange(number)}
        >
          {number + 1}
        </button>
      ))}
      {about.some((each) => each.kind === 'moved') && <span className={styles.moved}>{t('prose.moved')}</span>}
      <Words text={block?.text ?? ''} about={about} />
    </div>
  )
}

/** The words of a paragraph, each as one of its changes says. */
function Words({ text, about }: { readonly text: string; readonly about: readonly Change[] }) {
  const whole = about.find(({ kind }) => kind === 'inserted' || kind === 'removed')
  if (whole?.kind === 'inserted') return <ins>{text}</ins>
  if (whole?.kind === 'removed') return <del>{whole.before}</del>
  const edited = about.find(({ removedRanges, addedRanges }) => removedRanges.length + addedRanges.length > 0)
  if (edited === undefined) return <span>{text}</span>
  return (
    <span>
      {wordPieces(edited).map((piece, at) => {
        const Piece = piece.kind === 'same' ? 'span' : piece.kind === 'added' ? 'ins' : 'del'
        // The pieces of a change never change.
        // oxlint-disable-next-line react/no-array-index-key
        return <Piece key={at}>{piece.text}</Piece>
      })}
    </span>
  )
}
