import type { EraseReport } from '@galley/library/records'
import { isEmail } from '@galley/library/records'
import { fail, ok } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { ProblemLine } from '../../domain/means.tsx'
import { useForm } from '../../stores/form.ts'
import { Button } from '../../ui/button.tsx'
import { Fields } from '../../ui/field.tsx'
import { Bar, FormGroup, Group } from '../../ui/group.tsx'
import { TextField } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import { useErase } from './deletion.ts'

/** Finds what the library stores about a person, and erases it. */
export function PeopleForm() {
  const { t } = useTranslation('settings')
  const { deletion, preview, reset } = useErase()
  const form = useForm({
    kept: { email: deletion.kind === 'previewed' ? deletion.input : '' },
    isQuiet: true,
    read: ({ email }) => (isEmail(email.trim()) ? ok(email.trim()) : fail({ email: t('storage.people.wrong') })),
    save: (email) => preview(email).then(() => true),
    onEdit: reset,
  })
  return (
    <>
      <FormGroup
        title={t('storage.people.title')}
        text={t('storage.people.text')}
        submit={t('storage.people.preview')}
        form={{ ...form, outcome: () => (deletion.kind === 'running' ? t('storage.people.working') : '') }}
      >
        <p className={words.explanation}>{t('storage.people.reach')}</p>
        <Fields>
          <TextField label={t('storage.people.email')} inputMode="email" {...form.bind('email')} />
        </Fields>
      </FormGroup>
      <Outcome />
    </>
  )
}

function Outcome() {
  const { t } = useTranslation('settings')
  const { deletion, run } = useErase()
  const isNamed = deletion.kind === 'previewed' && deletion.report.rows + deletion.report.archives > 0
  return (
    <Group role="status">
      {deletion.kind === 'failed' && <ProblemLine problem={deletion.problem} />}
      {deletion.kind === 'previewed' && (
        <>
          <p>
            {deletion.report.rows === 0
              ? t('storage.people.nothing')
              : t('storage.people.found', { count: deletion.report.rows })}{' '}
            {deletion.report.archives > 0 && t('storage.people.archives', { count: deletion.report.archives })}
          </p>
          <p className={words.meta}>{t('storage.people.log')}</p>
          <Content report={deletion.report} />
          <Team report={deletion.report} />
          <Copies report={deletion.report} />
          <Bar>
            <Button look={isNamed ? 'danger' : 'plain'} onClick={() => void run()}>
              {t('storage.people.erase')}
            </Button>
          </Bar>
        </>
      )}
      {deletion.kind === 'done' && (
        <>
          <p>{t('storage.people.erased', { count: deletion.report.rows })}</p>
          <Content report={deletion.report} />
          <Team report={deletion.report} />
          <Copies report={deletion.report} />
        </>
      )}
    </Group>
  )
}

/** An erase in a team library does not reach what only other computers have. */
function Team({ report: { bucket } }: { readonly report: EraseReport }) {
  const { t } = useTranslation('settings')
  return bucket !== undefined && <p>{t('storage.people.team')}</p>
}

/** Texts of releases and font trees are content, as pages are: they stay, and a person decides about them. */
function Content({ report: { releaseTexts, fontSets } }: { readonly report: EraseReport }) {
  const { t } = useTranslation('settings')
  return (
    <>
      {releaseTexts > 0 && <p>{t('storage.people.releases', { count: releaseTexts })}</p>}
      {fontSets > 0 && <p>{t('storage.people.fontSets', { count: fontSets })}</p>}
    </>
  )
}

function Copies({ report: { backups } }: { readonly report: EraseReport }) {
  const { t } = useTranslation('settings')
  if (backups.length === 0) return null
  return (
    <>
      <p>{t('storage.people.backups')}</p>
      <ul aria-label={t('storage.people.backups')}>
        {backups.map((path) => (
          <li key={path} className={words.code}>
            {path}
          </li>
        ))}
      </ul>
    </>
  )
}
