import type { CallbackDetail } from '@galley/library/records'
import { parsedJson } from '@galley/wire'
import { Lock, LockOpen } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { Facts } from '../../ui/facts.tsx'
import { Lines } from '../../ui/lines.tsx'
import { PaneBody } from '../../ui/pane.tsx'
import { Titled } from '../../ui/titled.tsx'
import words from '../../ui/words.module.css'
import styles from './callback-parts.module.css'

/** The request: redacted headers, and the body with its signed members marked. */
export function Request({ request }: Pick<CallbackDetail, 'request'>) {
  const { t } = useTranslation('callback')
  return (
    <PaneBody>
      <Titled title={t('request.headers')}>
        {request.headers.length === 0 ? (
          <p className={words.meta}>{t('request.noHeaders')}</p>
        ) : (
          <>
            <p className={styles.note}>{t('request.headersNote')}</p>
            <Facts
              facts={request.headers.map(({ name, value }) => ({
                name,
                value: value ?? <span className={words.meta}>{t('request.notKept')}</span>,
                isCode: value !== null,
              }))}
            />
          </>
        )}
      </Titled>
      <Titled title={t('request.body')}>
        <Body request={request} />
      </Titled>
    </PaneBody>
  )
}

/** One member of a request body. */
interface ShownMember {
  readonly name: string
  readonly isSigned: boolean
  /** Its JSON, indented; only the start of a long value. */
  readonly value: string
  /** The length of the whole value in characters. */
  readonly wholeLength: number
}

/** Longer values are unreadable and would block the window. */
const shownLength = 20_000

/** The members of a JSON object, signed ones first; null if the body is not an object. */
export function shownMembers(body: string, signed: readonly string[]): readonly ShownMember[] | null {
  const object = objectIn(body)
  if (object === null) return null
  return Object.entries(object)
    .map(([name, value]): ShownMember => {
      const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
      return { name, isSigned: signed.includes(name), value: text.slice(0, shownLength), wholeLength: text.length }
    })
    .toSorted((one, other) => Number(other.isSigned) - Number(one.isSigned))
}

/** Null if the body is no JSON object. */
function objectIn(text: string): object | null {
  const value = parsedJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
}

function Body({ request }: Pick<CallbackDetail, 'request'>) {
  const { t } = useTranslation('callback')
  const formats = useFormats()
  const { body, bodyBytes, signedMembers } = request
  const members = useMemo(() => (body === null ? null : shownMembers(body, signedMembers)), [body, signedMembers])
  if (body === null) return <p className={words.meta}>{t('request.noBody')}</p>
  return (
    <>
      <p className={styles.note}>
        {t('request.bodyNote')} {bodyBytes !== null && t('request.bytes', { size: formats.size(bodyBytes) })}
      </p>
      {members === null ? (
        <pre className={styles.value}>{body}</pre>
      ) : (
        <Lines label={t('request.body')}>
          {members.map((member) => (
            <Member key={member.name} member={member} />
          ))}
        </Lines>
      )}
    </>
  )
}

function Member({ member }: { readonly member: ShownMember }) {
  const { t } = useTranslation('callback')
  const formats = useFormats()
  const Icon = member.isSigned ? Lock : LockOpen
  return (
    <li>
      <div className={styles.memberName}>
        <span className={words.code}>{member.name}</span>
        <span className={member.isSigned ? styles.signed : styles.unsigned}>
          <Icon size={12} aria-hidden />
          {member.isSigned ? t('request.signed') : t('request.unsigned')}
        </span>
      </div>
      {/* Focusable, so that the keyboard can scroll long values. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={styles.value} tabIndex={member.value.includes('\n') ? 0 : undefined} aria-label={member.name}>
        {member.value}
      </pre>
      {member.wholeLength > member.value.length && (
        <p className={words.meta}>{t('request.shortened', { size: formats.size(member.wholeLength) })}</p>
      )}
    </li>
  )
}
