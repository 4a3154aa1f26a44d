import { ok } from '@galley/wire'
import { History, MessageSquarePlus, Printer } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import type { CommentSubject } from '../../../ipc/desk.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { KeyedButton } from '../../commands/keyed-button.tsx'
import { displayKeys } from '../../commands/keys.ts'
import { sentenceOf } from '../../domain/change-sentence.ts'
import { CommentThreads, openThreads } from '../../domain/comment-threads.tsx'
import { useComments } from '../../domain/comments.ts'
import { useGoingBack } from '../../domain/going-back.ts'
import { useSaveItems } from '../../domain/save-version.ts'
import { useFormats } from '../../i18n/formats.ts'
import { MediaGrid } from '../../media/media-grid.tsx'
import { useForm } from '../../stores/form.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Message } from '../../ui/message.tsx'
import { PaneBody } from '../../ui/pane.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { TextArea } from '../../ui/text-field.tsx'
import { ChangeList } from './change-list.tsx'
import { CheckList, useChecks } from './check-list.tsx'
import { ComparedWith } from './compared-with.tsx'
import styles from './desk.module.css'
import { IgnoredParts } from './ignored-parts.tsx'
import type { WaitingPage } from './inbox.ts'
import { useNotes } from './notes.ts'
import { Prose } from './prose.tsx'
import { useDesk } from './store.ts'

/** What there is to know about the page that is read: what changed, and what people say about it. */
export function Beside() {
  const at = useDesk((state) => state.at)
  return at === null ? <PaneBody>{null}</PaneBody> : <About at={at} />
}

function About({ at }: { readonly at: WaitingPage }) {
  const { t } = useTranslation('desk')
  const formats = useFormats()
  const { tab, choose } = useNotes()
  const open = usePins(at)
  const checks = useChecks(at)
  const counted = (title: string, count: number): string => (count === 0 ? title : `${title} ${formats.count(count)}`)
  return (
    <Tabs
      label={t('tabsLabel')}
      chosen={tab}
      onChoose={choose}
      tabs={[
        { key: 'changes', title: t('tabs.changes'), panel: () => <Changes /> },
        { key: 'comments', title: counted(t('tabs.comments'), open), panel: () => <Comments at={at} /> },
        {
          key: 'checks',
          title: counted(t('tabs.checks'), checks?.length ?? 0),
          panel: () => <CheckList checks={checks} />,
        },
        { key: 'text', title: t('tabs.text'), panel: () => <Prose at={at} /> },
        { key: 'media', title: t('tabs.media'), panel: () => <MediaGrid of={at} /> },
      ]}
    />
  )
}

function Changes() {
  const { t } = useTranslation('desk')
  const { at, shown } = useDesk()
  const saveItems = useSaveItems()
  const earlier =
    at === null || at.before === null ? null : { site: at.site, materialId: at.materialId, versionId: at.before }
  const goBack = useGoingBack(({ ask }) => ask)
  const compared = shown.kind === 'loaded' ? shown.page.compared : undefined
  return (
    <div className={styles.besideBody}>
      {at !== null && <ComparedWith key={at.after} at={at} />}
      {compared !== undefined && (
        <>
          <p className={styles.said}>{compared === null ? t('allNew') : sentenceOf(compared, t)}</p>
          {compared !== null && <ChangeList compared={compared} />}
          {compared !== null && <IgnoredParts />}
          {earlier !== null && (
            <Button look="quiet" isFlush icon={History} onClick={() => goBack(earlier)}>
              {t('goBack')}
            </Button>
          )}
        </>
      )}
      {at !== null && compared !== undefined && (
        <Menu
          align="end"
          trigger={
            <Button look="quiet" isFlush icon={Printer}>
              {t('save.title')}
            </Button>
          }
          items={saveItems({ site: at.site, materialId: at.materialId, versionId: at.after, from: at.before })}
        />
      )}
    </div>
  )
}

/** Shows the open comments on the page, as long as it is shown; returns how many there are. */
function usePins({ site, materialId, after: versionId }: WaitingPage): number {
  const bridge = useBridge()
  const { view, placedIn, show } = useComments()
  const isLoaded = useDesk(({ shown }) => shown.kind === 'loaded')
  useEffect(() => show({ site, materialId, versionId }), [show, site, materialId, versionId])
  const open = view.kind === 'ready' ? openThreads(view.items) : null
  const isPlaced = placedIn === versionId
  useEffect(() => {
    if (!isLoaded || !isPlaced || view.kind !== 'ready') return
    const comments = openThreads(view.items).map(({ id, anchor, found: { places } }, at) => ({
      id,
      number: at + 1,
      region: anchor.kind === 'region' && anchor.picture !== null ? anchor.region : null,
      places: places.map(({ block, text, range, picture }) => ({
        block: { path: [...block.path], run: block.run },
        text,
        range: range && ([...range] as [number, number]),
        picture,
      })),
    }))
    void bridge.call('pinDeskComments', { versionId, comments }).catch(() => null)
  }, [bridge, isLoaded, isPlaced, versionId, view])
  return open?.length ?? 0
}

function Comments({ at: { site, materialId, after: versionId } }: { readonly at: WaitingPage }) {
  const { t } = useTranslation('desk')
  const bridge = useBridge()
  const { subject, hasNothing, begin } = useNotes()
  const isLoaded = useDesk(({ shown }) => shown.kind === 'loaded')
  return (
    <>
      {subject === null ? (
        <div className={styles.compose}>
          <KeyedButton
            icon={MessageSquarePlus}
            command="review.comment"
            disabled={!isLoaded}
            onClick={() => void begin()}
          >
            {t('comment.begin')}
          </KeyedButton>
          {hasNothing && <Message text={t('comment.nothing')} />}
        </div>
      ) : (
        <Compose key={JSON.stringify(subject)} subject={subject} />
      )}
      <CommentThreads
        of={{ site, materialId, versionId }}
        onShow={({ id }) => void bridge.call('goToDeskPlace', { comment: id })}
      />
    </>
  )
}

/** Writes a comment. What was typed survives leaving the screen, and choosing another place. */
function Compose({ subject: { versionId, selection, label } }: { readonly subject: CommentSubject }) {
  const { t } = useTranslation(['desk', 'ui'])
  const { end } = useNotes()
  const { add } = useComments()
  const quote = label === '' ? t('comment.picture') : label
  const form = useForm({
    about: `comment ${versionId}`,
    kept: { text: '' },
    read: ({ text }) => (text.trim() === '' ? { ok: false, failure: { text: t('comment.empty') } } : ok(text.trim())),
    save: (text) => add(versionId, selection, text),
    onSaved: end,
  })
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') end()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [end])
  return (
    <form
      className={styles.compose}
      data-desk
      aria-label={t('comment.on', { quote })}
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit()
      }}
      ref={(element) => element?.querySelector('textarea')?.focus()}
    >
      <div>
        <span className={styles.meta}>{t('comment.about')}</span>
        <blockquote className={styles.quote}>{quote}</blockquote>
      </div>
      <TextArea label={t('comment.text')} rows={3} isProse submitsByKey maxLength={10_000} {...form.bind('text')} />
      {form.problem !== null && <p role="alert">{form.outcome()}</p>}
      <div className={styles.sendBar}>
        <Button onClick={end}>{t('ui:cancel')}</Button>
        <Button look="primary" type="submit" keys={displayKeys('Mod+Enter')} disabled={form.isSaving}>
          {t('comment.send')}
        </Button>
      </div>
    </form>
  )
}
