import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import type { Change, ComparedPages } from '../../../ipc/desk.ts'
import { headWords, lineOf } from '../../domain/change-sentence.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Group } from '../../ui/group.tsx'
import styles from './desk.module.css'
import { useIgnored } from './ignored.ts'
import { useDesk } from './store.ts'

/** The changes of a page in its order, with their numbers in the marks; then what is not in the page itself. */
export function ChangeList({ compared }: { readonly compared: ComparedPages }) {
  const { t } = useTranslation('desk')
  const { changes, head, other } = compared
  const elsewhere = [
    ...head.map((change) => headWords(change, t)),
    ...(['fonts', 'metadata', 'state'] as const).filter((part) => other[part]).map((part) => t(`parts.${part}`)),
  ]
  return (
    <>
      {changes.length > 0 && (
        <ol className={styles.changes} data-keeps-space>
          {changes.map((change, number) => (
            // The order of the changes of a page never changes.
            // oxlint-disable-next-line react/no-array-index-key
            <ChangeLine key={number} change={change} number={number} />
          ))}
        </ol>
      )}
      {elsewhere.length > 0 && (
        <Group title={t('elsewhere')}>
          <ul className={styles.elsewhere}>
            {elsewhere.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </Group>
      )}
    </>
  )
}

function ChangeLine({ change, number }: { readonly change: Change; readonly number: number }) {
  const { t } = useTranslation('desk')
  const formats = useFormats()
  const { change: chosen, goToChange, showFiles } = useDesk()
  const ignore = useIgnored((state) => state.ignore)
  const line = useRef<HTMLButtonElement>(null)
  const isChosen = chosen === number
  useEffect(() => {
    if (isChosen) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  const { kind, words } = change
  return (
    <li>
      <button
        ref={line}
        type="button"
        className={styles.change}
        data-desk
        aria-current={isChosen ? 'true' : undefined}
        onClick={() => {
          goToChange(number)
          showFiles(number)
        }}
      >
        <span className={styles.number} data-kind={kind}>
          {number + 1}
        </span>
        <span className={styles.what}>
          <span className={styles.kind}>
            {lineOf(change, t)}
            {words.added + words.removed > 0 && (
              <span className={styles.words} title={t('wordsHint', words)}>
                {[
                  ...(words.added > 0 ? [`+${formats.count(words.added)}`] : []),
                  ...(words.removed > 0 ? [`−${formats.count(words.removed)}`] : []),
                ].join(' ')}
              </span>
            )}
          </span>
          <Texts change={change} />
        </span>
      </button>
      {kind === 'look' && (
        <Button look="quiet" className={styles.ignore} onClick={() => void ignore(change)}>
          {t('ignored.fromChange')}
        </Button>
      )}
    </li>
  )
}

const shownChars = 140
const cut = (text: string): string => {
  const line = text.replace(/\s+/g, ' ')
  return line.length > shownChars ? `${line.slice(0, shownChars).trimEnd()}…` : line
}

/** What was taken and what was added. */
function Texts({ change }: { readonly change: Change }) {
  const { t } = useTranslation('desk')
  const { before, after, removed, added } = sidesOf(change, t('attribute.empty'))
  return (
    <span className={styles.texts}>
      {removed !== '' && <del>{cut(removed)}</del>}
      {added !== '' && <ins>{cut(added)}</ins>}
      {removed === '' && added === '' && <span>{cut(after ?? before ?? '')}</span>}
    </span>
  )
}

const pick = (text: string | null, ranges: Change['addedRanges']): string =>
  ranges.map(([from, to]) => (text ?? '').slice(from, to).trim()).join(' … ')

function sidesOf({ kind, of, before, after, addedRanges, removedRanges, details }: Change, empty: string) {
  const attributes = (side: 'before' | 'after'): string =>
    details
      .flatMap(({ name, [side]: value }) => {
        if (value === null) return []
        return of === null ? (value === '' ? name : `${name}=${value}`) : value || empty
      })
      .join(' ')
  switch (kind) {
    case 'inserted':
      return { before, after, removed: '', added: after ?? '' }
    case 'removed':
      return { before, after, removed: before ?? '', added: '' }
    case 'picture':
      return { before, after, removed: before ?? '', added: after ?? '' }
    case 'attribute':
      return {
        before,
        after,
        removed: attributes('before'),
        added: attributes('after'),
      }
    case 'edited':
    case 'split':
    case 'joined':
    case 'moved':
    case 'style':
    case 'look':
      return { before, after, removed: pick(before, removedRanges), added: pick(after, addedRanges) }
  }
}
