import type { VersionRef } from '@galley/library/records'
import { ok } from '@galley/wire'
import { Check, MessageSquareReply, RotateCcw, ScanEye } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { PlacedThread } from '../../ipc/comments.ts'
import { useForm } from '../stores/form.ts'
import { Button } from '../ui/button.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { Message } from '../ui/message.tsx'
import { useNow } from '../ui/now.ts'
import { useRowMenu } from '../ui/row-menu.tsx'
import { WaitingLine } from '../ui/sign.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Status } from '../ui/status.tsx'
import type { Tone } from '../ui/status.tsx'
import { TextArea } from '../ui/text-field.tsx'
import { Time } from '../ui/time.tsx'
import styles from './comments.module.css'
import { useComments } from './comments.ts'
import { FailedRead } from './means.tsx'

const tones: Readonly<Record<PlacedThread['found']['state'], Tone>> = {
  same: 'success',
  moved: 'success',
  changed: 'warning',
  lost: 'danger',
}

interface Props {
  readonly of: VersionRef
  /** Shows the place of a thread in the page beside it, where there is one. */
  readonly onShow?: (thread: PlacedThread) => void
}

/** The threads that are open, in the order of their numbers. */
export const openThreads = (threads: readonly PlacedThread[]): readonly PlacedThread[] =>
  threads.filter(({ resolved }) => resolved === null)

/**
 * The comments on a material, with their places in one version: open ones first. For the column beside a page, and for the
 * inspector. Needs the store of `createComments` above it.
 */
export function CommentThreads({ of, onShow }: Props) {
  const { t } = useTranslation('comments')
  const { view, show, load, sought } = useComments()
  const nowMs = useNow()
  const [showsResolved, setShowsResolved] = useState(false)
  const { site, materialId, versionId } = of
  useEffect(() => show({ site, materialId, versionId }), [show, site, materialId, versionId])
  if (view.kind === 'loading') return <Skeleton rows={3} />
  if (view.kind === 'failed')
    return <FailedRead problem={view.problem} text={t('failed')} onRetry={() => void load()} />
  const open = openThreads(view.items)
  const resolved = view.items.filter((thread) => thread.resolved !== null)
  const showsAll = showsResolved || resolved.some(({ id }) => id === sought)
  return (
    <div className={styles.threads}>
      {open.length === 0 && <Message text={t(resolved.length === 0 ? 'none' : 'noneOpen')} />}
      {open.map((thread, at) => (
        <Thread key={thread.id} thread={thread} nowMs={nowMs} onShow={onShow} pin={at + 1} />
      ))}
      {resolved.length > 0 && (
        <Button look="quiet" isFlush aria-expanded={showsAll} onClick={() => setShowsResolved(!showsAll)}>
          {t('resolvedCount', { count: resolved.length })}
        </Button>
      )}
      {showsAll && resolved.map((thread) => <Thread key={thread.id} thread={thread} nowMs={nowMs} onShow={onShow} />)}
    </div>
  )
}

interface ThreadProps extends Pick<Props, 'onShow'> {
  readonly thread: PlacedThread
  readonly nowMs: number
  /** Its number on the page beside it, where there is one. */
  readonly pin?: number
}

function Thread({ thread, nowMs, onShow, pin }: ThreadProps) {
  const { t } = useTranslation('comments')
  const { id, anchor, comments, resolved, found, number, isWaiting } = thread
  const quote = anchor.kind === 'text' ? anchor.exact : t('region', { label: anchor.label })
  const name = (by: string): string => by || t('somebody')
  const ref = useSought(id)
  const [isAnswering, setIsAnswering] = useState(false)
  const turning = useTurning(thread)
  const isShown = onShow !== undefined && found.places.length > 0
  const { row, menu } = useRowMenu([
    ...(isShown ? [{ key: 'show', label: t('show'), icon: ScanEye, onSelect: () => onShow(thread) }] : []),
    { key: 'answer', label: t('answer'), icon: MessageSquareReply, onSelect: () => setIsAnswering(true) },
    turning,
  ])
  return (
    <article
      ref={ref}
      tabIndex={-1}
      className={styles.thread}
      aria-label={t('thread', { quote })}
      data-resolved={resolved !== null || undefined}
      {...row}
    >
      <div className={styles.head}>
        {onShow && pin !== undefined && <span className={styles.pin}>{pin}</span>}
        <Status tone={tones[found.state]} word={t(`found.${found.state}`)} />
        <span className={styles.version}>{t('onVersion', { number })}</span>
      </div>
      <blockquote className={styles.quote} data-lost={found.state === 'lost' || undefined}>
        {isShown ? <LinkButton onClick={() => onShow(thread)}>{quote}</LinkButton> : quote}
      </blockquote>
      <ol className={styles.comments}>
        {comments.map(({ id: each, by, at, text }) => (
          <li key={each}>
            <div className={styles.who}>
              <b>{name(by)}</b> <Time iso={at} nowMs={nowMs} />
            </div>
            <p className={styles.text}>{text}</p>
          </li>
        ))}
      </ol>
      {isWaiting && <WaitingLine text={t('waiting')} />}
      {resolved !== null && <p className={styles.version}>{t('resolvedBy', { name: name(resolved.by) })}</p>}
      <Answer id={id} turning={turning} isOpen={isAnswering} onOpen={setIsAnswering} />
      {menu}
    </article>
  )
}

/** Gives the focus to the thread that was asked for, once. */
function useSought(id: string) {
  const { sought, seek } = useComments()
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    if (sought !== id) return
    ref.current?.focus()
    ref.current?.scrollIntoView({ block: 'nearest' })
    seek(null)
  }, [sought, seek, id])
  return ref
}

/** Closes a thread, or opens it again. */
function useTurning({ id, resolved }: PlacedThread) {
  const { t } = useTranslation('comments')
  const { settle } = useComments()
  const [isBusy, setIsBusy] = useState(false)
  const isResolved = resolved !== null
  return {
    key: 'turn',
    label: t(isResolved ? 'reopen' : 'resolve'),
    icon: isResolved ? RotateCcw : Check,
    isBusy,
    onSelect(): void {
      setIsBusy(true)
      void settle(id, !isResolved).finally(() => setIsBusy(false))
    },
  }
}

interface AnswerProps {
  readonly id: string
  readonly turning: ReturnType<typeof useTurning>
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
}

/** Answers a thread, closes it or opens it again. What was typed survives leaving the screen. */
function Answer({ id, turning, isOpen, onOpen }: AnswerProps) {
  const { t } = useTranslation(['comments', 'ui'])
  const { answer } = useComments()
  const form = useForm({
    about: `answer ${id}`,
    kept: { text: '' },
    read: ({ text }) => (text.trim() === '' ? { ok: false, failure: { text: t('empty') } } : ok(text.trim())),
    save: (text) => answer(id, text),
    onSaved: () => onOpen(false),
  })
  if (isOpen || form.draft.text !== '')
    return (
      <form
        className={styles.answer}
        onSubmit={(event) => {
          event.preventDefault()
          void form.submit()
        }}
      >
        <TextArea label={t('answer')} rows={3} isProse submitsByKey maxLength={10_000} {...form.bind('text')} />
        <div className={styles.buttons}>
          <Button
            onClick={() => {
              form.undo()
              onOpen(false)
            }}
          >
            {t('ui:cancel')}
          </Button>
          <Button look="primary" type="submit">
            {t('send')}
          </Button>
        </div>
      </form>
    )
  return (
    <div className={styles.buttons}>
      <Button onClick={() => onOpen(true)}>{t('answer')}</Button>
      <Button icon={turning.icon} disabled={turning.isBusy} onClick={turning.onSelect}>
        {turning.label}
      </Button>
    </div>
  )
}
