import { Blend, Columns2, Contrast, Highlighter, SlidersHorizontal, SquareSplitHorizontal } from 'lucide-react'
import { useCallback, useContext, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { DeskArea } from '../../../ipc/desk.ts'
import { viewportWidths } from '../../../ipc/page-pictures.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { Choice } from '../../commands/choice.tsx'
import { Stepper } from '../../commands/stepper.tsx'
import { titleOf } from '../../domain/material-title.ts'
import { Room } from '../../domain/room.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { ForDevelopersContext } from '../../ui/for-developers.ts'
import { Menu } from '../../ui/menu.tsx'
import { Message } from '../../ui/message.tsx'
import { Pane } from '../../ui/pane.tsx'
import styles from './desk.module.css'
import { indexOfPage, useInbox, useInboxRows } from './inbox.ts'
import type { ComparedPage } from './inbox.ts'
import { PageNotices } from './page-notices.tsx'
import { PagePictures } from './page-pictures.tsx'
import { PageProblem } from './page-problem.tsx'
import { SourceCompare } from './source-compare.tsx'
import { newerOf, sources, useDesk } from './store.ts'
import type { PageWidth, Source } from './store.ts'

const widths = ['fit', 'phone', 'tablet', 'desktop'] as const satisfies readonly PageWidth[]

/** How wide the page is, and whether inside the theme of its site; and, for developers, what is compared as it is stored. */
function ViewMenu() {
  const { t } = useTranslation(['desk', 'review'])
  const { at, width, inTheme, source, showInTheme, setWidth, setSource, setSide } = useDesk()
  const isForDevelopers = useContext(ForDevelopersContext)
  const trigger = (
    <Button look="quiet" icon={SlidersHorizontal} isIconOnly>
      {t('view')}
    </Button>
  )
  const choice = (key: string, label: string, isChecked: boolean, choose: () => void) =>
    ({ kind: 'check', key, label, isChecked, isChoice: true, onChange: choose }) as const
  return (
    <Menu
      align="end"
      trigger={trigger}
      items={[
        choice('theme', t('inTheme.toggle'), inTheme, () => showInTheme(!inTheme)),
        { kind: 'heading', key: 'width', label: t('pageWidth') },
        ...widths.map((key) =>
          choice(
            key,
            key === 'fit' ? t('widths.fit') : t(`widths.${key}`, { width: viewportWidths[key] }),
            key === width,
            () => setWidth(key),
          ),
        ),
        ...(isForDevelopers && at?.before != null
          ? [
              { kind: 'heading', key: 'sources', label: t('forDevelopers') } as const,
              ...sources.map((key) =>
                choice(key, t(`review:sources.${key}`), key === source, () =>
                  key === source ? setSide('now') : setSource(key),
                ),
              ),
            ]
          : []),
      ]}
    />
  )
}

/** A part of both versions as it is stored; retrying reads it again. */
function Sources({ source, of }: { readonly source: Source; readonly of: ComparedPage }) {
  const [tries, setTries] = useState(0)
  return <SourceCompare key={`${source} ${tries}`} of={of} onRetry={() => setTries(tries + 1)} part={source} />
}

/** The page that is read: a native view in the middle of the desk, with what belongs to it around. */
export function PageView() {
  const { t } = useTranslation('desk')
  const { at, side, layers, source, isHeld, setSide, setLayers, step } = useDesk()
  const rows = useInboxRows()
  const areVersions = useInbox(({ of }) => of !== null)
  if (at === null)
    return (
      <Pane name="page" level={areVersions ? 1 : 2} title={t('title')}>
        {null}
      </Pane>
    )
  const index = indexOfPage(rows, at)
  const place =
    index === null ? t('notListed') : t(areVersions ? 'versionPlace' : 'place', { place: index + 1, count: rows.total })
  return (
    <Pane
      name="page"
      level={areVersions ? 1 : 2}
      title={titleOf(at)}
      actions={
        <>
          <Stepper
            place={`${isHeld ? t('mode.before') : t('version', { number: at.number })} · ${place}`}
            back={{ command: 'review.previousPage', title: t(areVersions ? 'newerVersion' : 'previousPage') }}
            forward={{ command: 'review.nextPage', title: t(areVersions ? 'olderVersion' : 'nextPage') }}
            isVertical
            onStep={step}
          />
          {at.before !== null && (
            <Choice
              label={t('modes')}
              chosen={layers ?? (side === 'both' ? 'both' : 'now')}
              onChoose={(mode) => (mode === 'now' || mode === 'both' ? setSide(mode) : setLayers(mode))}
              options={[
                { key: 'now', title: t('mode.now'), icon: Highlighter, command: 'review.now' },
                { key: 'both', title: t('mode.both'), icon: Columns2, command: 'review.both' },
                { key: 'swipe', title: t('mode.swipe'), icon: SquareSplitHorizontal, command: 'review.swipe' },
                { key: 'onion', title: t('mode.onion'), icon: Blend, command: 'review.onion' },
                { key: 'difference', title: t('mode.difference'), icon: Contrast, command: 'review.difference' },
              ]}
            />
          )}
          <ViewMenu />
        </>
      }
    >
      <Newer />
      {areVersions && index === null && <Banner tone="warning" text={t('goneVersion')} />}
      {at.before === null || isHeld || (layers === null && source === null) ? (
        <>
          <PageNotices />
          <Middle />
        </>
      ) : source !== null ? (
        <Sources source={source} of={{ ...at, before: at.before }} />
      ) : (
        layers !== null && <PagePictures mode={layers} row={at} />
      )}
    </Pane>
  )
}

/** Says that a newer version arrived; the desk does not move by itself. */
function Newer() {
  const { t } = useTranslation('desk')
  const { at, isAskingOld, isPublishing, showNewer, approve, ...state } = useDesk()
  const newer = newerOf({ ...state, at })
  if (newer === null || at === null) return null
  const numbers = { number: newer.number, shown: at.number }
  return (
    <Banner tone={isAskingOld ? 'warning' : 'info'} text={t(isAskingOld ? 'newer.ask' : 'newer.text', numbers)}>
      {isAskingOld && (
        <Button onClick={() => void approve({ mayBeOld: true, isPublishing })}>{t('newer.approve', numbers)}</Button>
      )}
      <Button look={isAskingOld ? 'primary' : 'plain'} onClick={showNewer}>
        {t('newer.show', numbers)}
      </Button>
    </Banner>
  )
}

function Middle() {
  const { t } = useTranslation(['review', 'desk'])
  const { shown, inTheme, reopen, showInTheme } = useDesk()
  if (shown.kind === 'failed')
    return (
      <PageProblem problem={shown.problem} onRetry={() => reopen()}>
        {inTheme && <Button onClick={() => showInTheme(false)}>{t('desk:inTheme.alone')}</Button>}
      </PageProblem>
    )
  if (shown.kind === 'died')
    return (
      <Message title={t(`ended.${shown.why}.title`)} text={t(`ended.${shown.why}.text`)} isFailure>
        <Button look="primary" onClick={() => reopen(false)}>
          {t('ended.reloadWithoutImages')}
        </Button>
        <Button onClick={() => reopen()}>{t('ended.reload')}</Button>
      </Message>
    )
  return (
    <div className={styles.middle}>
      <PageRoom />
      {shown.kind === 'loaded' && <Gutter marks={shown.page.marks} />}
    </div>
  )
}

/** Where the page itself is shown. */
function PageRoom() {
  const { t } = useTranslation('desk')
  const bridge = useBridge()
  const isLoading = useDesk(({ shown }) => shown.kind !== 'loaded' || shown.paintedAtMs === null)
  const chosen = useDesk((state) => state.width)
  const width = chosen === 'fit' ? null : viewportWidths[chosen]
  const put = useCallback((place: DeskArea | null) => void bridge.call('placeDesk', { place, width }), [bridge, width])
  return (
    <Room
      label={t('enter')}
      isBusy={isLoading}
      onPlace={put}
      onEnter={() => void bridge.call('focusDesk', { isInside: true })}
    />
  )
}

/** All changes at their heights in the page. For the mouse; the list of changes has the same. */
function Gutter({ marks }: { readonly marks: readonly (number | null)[] }) {
  const { change, shown, goToChange } = useDesk()
  const changes = shown.kind === 'loaded' ? (shown.page.compared?.changes ?? []) : []
  return (
    <div className={styles.gutter} aria-hidden>
      {marks.map((mark, number) =>
        mark === null ? null : (
          <button
            // The order of the changes of a page never changes.
            // oxlint-disable-next-line react/no-array-index-key
            key={number}
            type="button"
            aria-label={String(number + 1)}
            tabIndex={-1}
            className={styles.tick}
            data-kind={changes[number]?.kind}
            data-chosen={change === number ? '' : undefined}
            style={{ insetBlockStart: `${(mark * 100).toFixed(2)}%` }}
            onClick={() => goToChange(number)}
          />
        ),
      )}
    </div>
  )
}
