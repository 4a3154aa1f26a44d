import type { JsonLevel, JsonMemberView } from '@galley/library/records'
import type { Result, VersionId } from '@galley/wire'
import { ChevronRight } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './state-tree.module.css'
import { StateValue } from './state-value.tsx'
import { useVersions } from './store.ts'

type Path = readonly (string | number)[]
const root: Path = []

interface Props {
  readonly versionId: VersionId
}

/** The editor state as a tree, loaded level by level. */
export const StateTree = (props: Props) => (
  <div className={styles.tree}>
    <Level {...props} path={root} />
  </div>
)

type Read =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'ready'; readonly level: JsonLevel }

/** Adds the members from `offset` on to a level. */
const withMembers =
  (offset: number, answer: Result<JsonLevel, unknown>) =>
  (before: Read): Read => {
    if (!answer.ok) return { kind: 'failed' }
    const known = before.kind === 'ready' ? before.level.members.slice(0, offset) : []
    return { kind: 'ready', level: { ...answer.value, members: [...known, ...answer.value.members] } }
  }

/** One level, loaded when opened; `path` must stay the same array. */
function Level({ path, versionId }: Props & { readonly path: Path }) {
  const readLevel = useVersions((state) => state.readLevel)
  const { t } = useTranslation('versions')
  const formats = useFormats()
  const [read, setRead] = useState<Read>({ kind: 'loading' })
  const readFrom = useCallback((offset: number) => readLevel(versionId, path, offset), [readLevel, versionId, path])
  useEffect(() => void readFrom(0).then((first) => setRead(withMembers(0, first))), [readFrom])
  const load = (offset: number): void => void readFrom(offset).then((more) => setRead(withMembers(offset, more)))
  if (read.kind === 'loading') return <Skeleton rows={2} />
  if (read.kind === 'failed') return <Failed text={t('stateFailed')} onRetry={() => load(0)} />
  const { members, total } = read.level
  if (total === 0) return <p className={styles.quiet}>{t('emptyLevel')}</p>
  return (
    <ul className={styles.level} aria-label={path.length === 0 ? t('stateLabel') : path.join(' › ')}>
      {members.map((member) => (
        <Member key={member.key} versionId={versionId} path={path} member={member} />
      ))}
      {members.length < total && (
        <li>
          <Button look="quiet" onClick={() => load(members.length)}>
            {t('moreMembers', { read: formats.count(members.length), all: formats.count(total) })}
          </Button>
        </li>
      )}
    </ul>
  )
}

interface MemberProps extends Props {
  readonly path: Path
  readonly member: JsonMemberView
}

function Member({ path, member, ...of }: MemberProps) {
  const { t } = useTranslation('versions')
  const [isOpen, setOpen] = useState(false)
  const { key, kind, size } = member
  const inner = useMemo(() => [...path, key], [path, key])
  if (kind !== 'object' && kind !== 'array') {
    return (
      <li className={styles.member}>
        <span className={styles.key}>{key}</span>
        <StateValue {...of} path={inner} member={member} />
      </li>
    )
  }
  const held = kind === 'array' ? t('items', { count: size }) : t('members', { count: size })
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        className={styles.fold}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight') setOpen(true)
          if (event.key === 'ArrowLeft') setOpen(false)
        }}
      >
        <ChevronRight size={14} aria-hidden />
        <span className={styles.key}>{key}</span>
        <span className={styles.quiet}>{held}</span>
      </button>
      {isOpen && <Level {...of} path={inner} />}
    </li>
  )
}
