import { reviewMetadata } from '@galley/library/records'
import type { MetadataReview, OpenPreview } from '@galley/library/records'
import type { CredentialsState } from '@galley/wire'
import { jsonLines } from '@galley/wire'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import { useTranslation } from 'react-i18next'

import { useCommands } from '../../commands/commands.ts'
import { FailedRead, ProblemBanner } from '../../domain/means.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogBody, DialogForm } from '../../ui/dialog.tsx'
import { useDiscardGuard } from '../../ui/discard-question.tsx'
import { Facts } from '../../ui/facts.tsx'
import { ForDevelopers } from '../../ui/for-developers.ts'
import { useNow } from '../../ui/now.ts'
import { useOnline } from '../../ui/online.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import words from '../../ui/words.module.css'
import { JsonEditor } from './json-editor.tsx'
import { RollbackLeft } from './material-parts.tsx'
import styles from './materials.module.css'
import { useMaterials } from './store.ts'
import type { MaterialDialog } from './store.ts'

interface Props {
  readonly dialog: Extract<MaterialDialog, { readonly kind: 'open' }>
}

/** Previews what "Open in editor" will send, with editable metadata. */
export function OpenEditor({ dialog }: Props) {
  const { t } = useTranslation('materials')
  const { setDialog, preview, previewNew } = useMaterials()
  const close = (): void => setDialog({ kind: 'none' })
  // People rarely change anything here, so Enter opens the editor.
  const submit = useRef<HTMLButtonElement>(null)
  const { materialId, isNew, title } = dialog
  const kept = dialog.preview.kind === 'ready' ? jsonLines(dialog.preview.items.metadata) : ''
  const [typed, setTyped] = useState<string | null>(null)
  const { leave, question } = useDiscardGuard(typed !== null && typed !== kept, close)
  return (
    <Dialog size="large" title={t('preview.title')} initialFocus={submit} onClose={leave}>
      {dialog.preview.kind === 'ready' ? (
        <PreviewForm
          dialog={dialog}
          preview={dialog.preview.items}
          text={typed ?? kept}
          onType={setTyped}
          submit={submit}
          question={question}
          onCancel={leave}
          onClose={close}
        />
      ) : (
        <DialogBody>
          {dialog.preview.kind === 'loading' ? (
            <Skeleton rows={4} />
          ) : (
            <FailedRead
              problem={dialog.preview.problem}
              text={t('preview.failed')}
              onRetry={() => void (isNew ? previewNew(materialId, title) : preview(materialId))}
            />
          )}
        </DialogBody>
      )}
    </Dialog>
  )
}

interface FormProps extends Props {
  readonly preview: OpenPreview
  /** The metadata as JSON. */
  readonly text: string
  readonly onType: (text: string) => void
  /** Replaces the actions. */
  readonly question: ReactNode | null
  readonly onCancel: () => void
  readonly submit: RefObject<HTMLButtonElement | null>
  readonly onClose: () => void
}

function PreviewForm(props: FormProps) {
  const { dialog, preview, text, onType, submit, question, onCancel, onClose } = props
  const { materialId, title } = dialog
  const { t } = useTranslation(['materials', 'ui'])
  const nowMs = useNow()
  const { open, opening } = useMaterials()
  const isOnline = useOnline()
  useEffect(() => {
    // Only if the form was loaded while the dialog was open. Otherwise the dialog focuses the button itself, after it has
    // noted where to return the focus.
    const button = submit.current
    if (button?.closest('[role="dialog"]')?.contains(document.activeElement) === true) button.focus()
  }, [submit])
  const review = reviewMetadata(text, preview.lastSent)
  const isReady =
    review.problem === null && preview.lacksSecrets === null && preview.isConfirmed && opening.kind !== 'opening'
  const { state } = preview
  return (
    <DialogForm
      onSubmit={() => {
        if (isReady) void open(materialId, title, text)
      }}
      actions={
        question ?? (
          <>
            <Button onClick={onCancel}>{t('ui:cancel')}</Button>
            <Button ref={submit} look="primary" type="submit" aria-disabled={!isReady}>
              {opening.kind === 'opening' ? t('opening') : t('open')}
            </Button>
          </>
        )
      }
    >
      {opening.kind === 'failed' && opening.materialId === materialId && <ProblemBanner problem={opening.problem} />}
      {!isOnline && <Banner tone="warning" text={t('offline')} />}
      {!preview.isConfirmed && <ProblemBanner problem={unconfirmed} />}
      {preview.lacksSecrets !== null && <LacksSecret state={preview.lacksSecrets} onClose={onClose} />}
      {preview.callbackUrlChanged && <Banner tone="warning" text={t('preview.callbackChanged')} />}
      <Facts
        facts={[
          { name: t('preview.material'), value: materialId, isCode: true, isForDevelopers: title !== null },
          ...(title === null ? [] : [{ name: t('form.name'), value: title }]),
          {
            name: t('preview.state'),
            value: state === null ? t('preview.emptyPage') : <OpenedVersion state={state} nowMs={nowMs} />,
          },
          { name: t('preview.service'), value: preview.baseUrl, isCode: true, isForDevelopers: true },
          { name: t('preview.callback'), value: preview.callbackUrl, isCode: true, isForDevelopers: true },
          { name: t('columns.rollback'), value: <RollbackLeft session={preview.session} nowMs={nowMs} /> },
          ...(preview.added.length === 0
            ? []
            : [
                {
                  name: t('preview.added'),
                  value: (
                    <ul>
                      {preview.added.map(({ key, value }) => (
                        <li key={key}>
                          {value === null ? t('preview.hidden', { key }) : t('preview.member', { key, value })}
                        </li>
                      ))}
                    </ul>
                  ),
                },
              ]),
        ]}
      />
      <Metadata text={text} review={review} lastSent={preview.lastSent} onType={onType} />
    </DialogForm>
  )
}

interface MetadataProps {
  readonly text: string
  readonly review: MetadataReview
  readonly lastSent: string | null
  readonly onType: (text: string) => void
}

function Metadata({ text, review, lastSent, onType }: MetadataProps) {
  const { t } = useTranslation('materials')
  const { problem } = review
  return (
    <section className={styles.section}>
      <h3>{t('preview.metadata')}</h3>
      <JsonEditor label={t('preview.metadata')} text={text} wrongAt={problem?.offset ?? null} onChange={onType} />
      {problem === null ? (
        <ReviewNotes review={review} lastSent={lastSent} />
      ) : (
        <p role="alert" className={`${words.meta} ${words.problem}`}>
          {t(`preview.problem.${problem.code}`, { line: problem.line, column: problem.column, key: problem.key })}
        </p>
      )}
    </section>
  )
}

const unconfirmed = { code: 'site_unconfirmed' } as const

interface LacksSecretProps {
  readonly state: CredentialsState
  readonly onClose: () => void
}

/** Why no session can be opened, with a button to enter the secret if that helps. */
function LacksSecret({ state, onClose }: LacksSecretProps) {
  const { t } = useTranslation('sites')
  const run = useCommands((commands) => commands.run)
  return (
    <ProblemBanner problem={{ code: 'secrets_unavailable', state }}>
      {(state === 'missing' || state === 'changed') && (
        <Button
          onClick={() => {
            onClose()
            run('site.edit')
          }}
        >
          {t('enterSecret')}
        </Button>
      )}
    </ProblemBanner>
  )
}

interface OpenedVersionProps {
  readonly state: NonNullable<OpenPreview['state']>
  readonly nowMs: number
}

/** The version that the editor opens, by its time and id. */
function OpenedVersion({ state: { versionId, savedAt, sizeBytes }, nowMs }: OpenedVersionProps) {
  const { t } = useTranslation('materials')
  const formats = useFormats()
  return (
    <>
      <p>
        {t('preview.version', {
          when: formats.exact(savedAt),
          ago: formats.relative(savedAt, nowMs),
          size: formats.size(sizeBytes),
        })}
      </p>
      <ForDevelopers>
        <p className={words.code}>{versionId}</p>
      </ForDevelopers>
    </>
  )
}

/** Possible secrets in the text, and differences from the metadata last sent. */
function ReviewNotes({ review, lastSent }: { readonly review: MetadataReview; readonly lastSent: string | null }) {
  const { t } = useTranslation('materials')
  const { warnings, changes } = review
  return (
    <>
      {warnings.length > 0 && (
        <ul className={styles.warnings} aria-label={t('preview.warnings')}>
          {warnings.map(({ code, key, offset }) => (
            <li key={`${code} ${offset}`}>{t(`preview.warning.${code}`, { key })}</li>
          ))}
        </ul>
      )}
      {changes.length === 0 ? (
        <p className={words.meta}>{lastSent === null ? t('preview.firstTime') : t('preview.unchanged')}</p>
      ) : (
        <ul className={styles.changes} aria-label={t('preview.changes')}>
          {changes.map(({ key, kind, before, after }) => (
            <li key={key} data-kind={kind}>
              <span aria-label={t(`preview.change.${kind}`)} role="img">
                {{ added: '+', removed: '−', changed: '~' }[kind]}
              </span>
              <span>{key}</span>
              <span>
                {kind === 'changed'
                  ? t('preview.fromTo', { before: before ?? '', after: after ?? '' })
                  : (after ?? before)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
