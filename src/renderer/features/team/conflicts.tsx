import type { CallProblem, FieldValue, TeamConflict } from '@galley/library/records'
import type { TFunction } from 'i18next'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { ProblemLine } from '../../domain/means.tsx'
import { useAnnouncements } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Bar, Group } from '../../ui/group.tsx'
import { Lines } from '../../ui/lines.tsx'
import { useNow } from '../../ui/now.ts'
import { Time } from '../../ui/time.tsx'
import words from '../../ui/words.module.css'
import { useTeam } from './store.ts'
import styles from './team.module.css'

type Texts = TFunction<['team', 'versions']>

/** The field in plain words, with its version. */
function fieldText({ field, tag, version }: TeamConflict, t: Texts): string {
  const name = t(`team:conflicts.fields.${field}`, { tag: tag ?? '' })
  if (version === null) return name
  return version.number === null
    ? t('team:conflicts.ofGoneVersion', { field: name })
    : t('team:conflicts.ofVersion', { field: name, number: version.number })
}

/** The value of a field; null if it is empty. */
function valueText({ field }: Pick<TeamConflict, 'field'>, value: FieldValue, t: Texts): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  if (typeof value === 'boolean') {
    const flag = field === 'pinned' || field === 'archivedAt' ? field : 'tag'
    return t(`team:conflicts.${value ? 'yes' : 'no'}.${flag}`)
  }
  if (value === null) return t('team:conflicts.none')
  if ('decision' in value) {
    const word = t(`versions:verdict.${value.decision}`)
    return value.reason === '' ? word : `${word}: ${value.reason}`
  }
  return value.length === 0 ? null : value.join(', ')
}

/** Changes that conflict with the team's, each with its two values; nothing if there are none. */
export function Conflicts() {
  const { t } = useTranslation(['team', 'versions'])
  const announce = useAnnouncements((state) => state.announce)
  const { conflicts, loadConflicts, decide } = useTeam()
  const [problem, setProblem] = useState<CallProblem | null>(null)
  /** The index of the last decided item: the item that takes its place gets the focus. */
  const [decided, setDecided] = useState<{ readonly at: number } | null>(null)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => void loadConflicts(), [loadConflicts])
  useEffect(() => {
    if (decided === null) return
    const items = [...(list.current?.querySelectorAll<HTMLElement>('li') ?? [])]
    const item = items[Math.min(decided.at, items.length - 1)]
    const next = item?.querySelector('button') ?? list.current
    next?.focus()
  }, [decided])
  const total = conflicts?.total ?? 0
  const both = conflicts?.conflicts.filter(({ theirs }) => theirs !== null) ?? []
  if (conflicts === null || (total === 0 && decided === null)) return null

  const take = async (conflict: TeamConflict, at: number, whose: 'mine' | 'theirs'): Promise<void> => {
    const answer = await decide(conflict, whose)
    setProblem(answer.ok ? null : answer.failure)
    if (!answer.ok) return
    setDecided({ at })
    const left = answer.value
    const kept = t(whose === 'mine' ? 'conflicts.keptMine' : 'conflicts.keptTheirs', { what: nameOf(conflict) })
    announce(`${kept} ${left === 0 ? t('conflicts.noneLeft') : t('conflicts.left', { count: left })}`)
  }
  /** Decides those with both values one after the other, up to the first that cannot be decided. */
  const takeAll = async (whose: 'mine' | 'theirs'): Promise<void> => {
    for (const conflict of both) {
      const answer = await decide(conflict, whose)
      setProblem(answer.ok ? null : answer.failure)
      if (!answer.ok) return
      setDecided({ at: 0 })
      announce(answer.value === 0 ? t('conflicts.noneLeft') : t('conflicts.left', { count: answer.value }))
    }
  }
  const nameOf = (conflict: TeamConflict): string =>
    `${conflict.title ?? conflict.materialId}, ${fieldText(conflict, t)}`
  return (
    <Group title={t('conflicts.title')} text={total === 0 ? undefined : t('conflicts.text')}>
      {both.length > 1 && (
        <Bar>
          <Button onClick={() => void takeAll('mine')}>{t('conflicts.keepAllMine', { count: both.length })}</Button>
          <Button onClick={() => void takeAll('theirs')}>{t('conflicts.keepAllTheirs', { count: both.length })}</Button>
        </Bar>
      )}
      <div ref={list} tabIndex={-1}>
        {total === 0 ? (
          <p>{t('conflicts.noneLeft')}</p>
        ) : (
          <Lines label={t('conflicts.title')}>
            {conflicts.conflicts.map((conflict, at) => (
              <Conflict
                key={conflict.id}
                conflict={conflict}
                name={nameOf(conflict)}
                onTake={(whose) => void take(conflict, at, whose)}
              />
            ))}
          </Lines>
        )}
      </div>
      {conflicts.conflicts.length < total && (
        <p className={words.meta}>{t('conflicts.more', { shown: conflicts.conflicts.length, total })}</p>
      )}
      <div role="status">{problem !== null && <ProblemLine problem={problem} />}</div>
    </Group>
  )
}

interface ConflictProps {
  readonly conflict: TeamConflict
  readonly name: string
  readonly onTake: (whose: 'mine' | 'theirs') => void
}

function Conflict({ conflict, name, onTake }: ConflictProps) {
  const { t } = useTranslation(['team', 'versions'])
  const { title, materialId, site, before, mine, theirs, at } = conflict
  const button = (whose: 'mine' | 'theirs', text: string): ReactNode => (
    <Button aria-label={`${text}: ${name}`} onClick={() => onTake(whose)}>
      {text}
    </Button>
  )
  return (
    <li aria-label={name}>
      <div className={styles.conflict}>
        <div>
          <h4>{title ?? materialId}</h4>
          <p className={words.meta}>{`${fieldText(conflict, t)} · ${site.name}`}</p>
        </div>
        <dl className={styles.values}>
          <Value name={t('conflicts.before')} conflict={conflict} value={before} at={null} />
          <Value name={t('conflicts.mine')} conflict={conflict} value={mine} at={at} />
          {theirs !== null && <Value name={t('conflicts.theirs')} conflict={conflict} {...theirs} />}
        </dl>
        {theirs === null && <p>{t('conflicts.gone')}</p>}
        <Bar>
          {theirs === null ? (
            button('theirs', t('conflicts.discard'))
          ) : (
            <>
              {button('mine', t('conflicts.keepMine'))}
              {button('theirs', t('conflicts.keepTheirs'))}
            </>
          )}
        </Bar>
      </div>
    </li>
  )
}

interface ValueProps {
  readonly name: string
  readonly conflict: TeamConflict
  readonly value: FieldValue
  readonly at: string | null
}

function Value({ name, conflict, value, at }: ValueProps) {
  const { t } = useTranslation(['team', 'versions'])
  const nowMs = useNow()
  const text = valueText(conflict, value, t)
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className={text === null ? styles.empty : styles.value}>{text ?? t('conflicts.empty')}</span>
        {at !== null && (
          <span className={words.meta}>
            <Time iso={at} nowMs={nowMs} />
          </span>
        )}
      </dd>
    </div>
  )
}
