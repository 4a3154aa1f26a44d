import { readAddress, timeZone } from '@galley/library/records'
import type { MaterialId } from '@galley/wire'
import { fail } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../../ipc/calls.ts'
import { FailedRead, Means } from '../../domain/means.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { useForm } from '../../stores/form.ts'
import { Button } from '../../ui/button.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { useNow } from '../../ui/now.ts'
import { PaneBody } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFocusOnError } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import { PageStatus } from './inline.tsx'
import { OnlineStatus } from './online-status.tsx'
import { changesOf, draftOf, fullAddress } from './page-draft.ts'
import type { PageDraft } from './page-draft.ts'
import { PageFields } from './page-fields.tsx'
import styles from './pages.module.css'
import { heldBack, readerView } from './reader-view.ts'
import type { ReaderView } from './reader-view.ts'
import { useChosenPage, useSitePages } from './store.ts'
import type { ShownPage } from './store.ts'

interface Props {
  readonly onShowMaterial: (materialId: MaterialId) => void
}

/** The settings of the selected page, and how readers will see it. */
export function PageDetail(props: Props) {
  const { t } = useTranslation('pages')
  const { view, load } = useChosenPage()
  if (view.kind === 'loading') return <Skeleton rows={6} />
  if (view.kind === 'failed') {
    return <FailedRead problem={view.problem} text={t('detailFailed')} onRetry={() => void load()} />
  }
  return (
    <>
      <Readers shown={view.items} {...props} />
      <PageForm key={view.items.page.materialId} shown={view.items} />
    </>
  )
}

/** The effect of the next publication on the page, according to its saved settings. */
function Readers({ shown: { page, publishing }, onShowMaterial }: Props & { readonly shown: ShownPage }) {
  const { t } = useTranslation('pages')
  const formats = useFormats()
  const nowMs = useNow()
  const view = readerView(page, nowMs)
  const isHome = publishing.home === page.materialId
  const held = heldBack(page)
  const isOut = view.kind === 'published' || view.kind === 'hidden'
  const text = (shown: ReaderView): string => {
    switch (shown.kind) {
      case 'archived':
      case 'draft':
      case 'noVersion':
        return t(`readers.${shown.kind}`)
      case 'scheduled':
        return t('readers.scheduled', { when: formats.exact(shown.at, timeZone(publishing.timeZone).name) })
      case 'published':
      case 'hidden': {
        const { number } = shown
        if (isHome) return t('readers.home', { number })
        const isListed = shown.kind === 'published' && page.settings.type === 'post'
        return t(
          isListed ? 'readers.published' : shown.kind === 'hidden' ? 'readers.hidden' : 'readers.publishedPage',
          { number },
        )
      }
    }
  }
  return (
    <div className={styles.readers}>
      <OnlineStatus page={page} nowMs={nowMs} />
      {page.online.map(({ target, number, since }) => (
        <p key={target} className={words.meta}>
          {t('readers.onlineAt', { target, number, when: formats.exact(since) })}
        </p>
      ))}
      <span>
        <PageStatus page={page} nowMs={nowMs} /> <Means code={`page:${view.kind}`} />
      </span>
      <p>{text(view)}</p>
      {isOut && (
        <p className={words.meta}>
          {t('readers.verdict', {
            number: view.number,
            verdict: t(`versions.verdicts.${page.outgoingVerdict ?? 'none'}`),
          })}
        </p>
      )}
      {isOut && held !== null && <p className={words.meta}>{t(`readers.held.${held.why}`, { number: held.number })}</p>}
      {isOut && page.address !== null && (
        <p className={words.code}>{fullAddress(publishing.baseUrl, page.address, isHome)}</p>
      )}
      <div>
        <LinkButton onClick={() => onShowMaterial(page.materialId)}>{t('actions.material')}</LinkButton>
      </div>
    </div>
  )
}

/** The field of a rejected address, which may be one of the redirects. */
function fieldOf(failure: CallProblem, draft: PageDraft): 'address' | 'redirects' {
  const address = readAddress(draft.address)
  const refused = 'path' in failure ? failure.path : 'address' in failure ? failure.address : undefined
  return refused !== undefined && address.ok && refused !== address.value ? 'redirects' : 'address'
}

/** All settings with one Save button. Unsaved input is kept when another page is selected. */
function PageForm({ shown }: { readonly shown: ShownPage }) {
  const { t } = useTranslation(['pages', 'ui'])
  const { site, change } = useSitePages()
  const { page, fallbacks } = shown
  const zone = timeZone(shown.publishing.timeZone)
  const kept = draftOf(page, zone)
  const pictures = fallbacks?.pictures.map(({ name }) => name) ?? []
  const form = useForm({
    about: `page ${site} ${page.materialId}`,
    kept,
    saved: t('saved'),
    read: (draft) => {
      const changes = changesOf(draft, kept, { pictures, zone })
      if (changes.ok) return changes
      const problems = Object.entries(changes.failure)
      return fail(Object.fromEntries(problems.map(([key, problem]) => [key, t(`wrong.${problem}`)])))
    },
    save: (changes) => change([page.materialId], changes),
    fieldOf: (problem, draft) => (problem.field === 'slug' ? fieldOf(problem, draft) : null),
  })
  const { isChanged, isRefused } = form
  const fields = useFocusOnError(form.refusal)
  return (
    <form
      noValidate
      aria-label={t('form')}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) void form.submit()
      }}
    >
      <PaneBody>
        <PageFields ref={fields} shown={shown} form={form} />
      </PaneBody>
      <div className={styles.actions}>
        <span role="status" className={`${styles.outcome} ${isRefused ? words.problem : words.meta}`}>
          {form.outcome(isChanged)}
        </span>
        <div className={styles.buttons}>
          {isChanged && <Button onClick={form.undo}>{t('ui:undo')}</Button>}
          <Button look="primary" type="submit" aria-disabled={!isChanged}>
            {t('save')}
          </Button>
        </div>
      </div>
    </form>
  )
}
