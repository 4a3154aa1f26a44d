/** Longer ones are cut or refused by mail programs and by Windows. */
const urlMaxChars = 2_000

/** Exactly one address, of characters that say nothing in a URL. */
const address = /^[A-Za-z0-9.!#$'*+/=^_`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/

/** Whether a mail can be written to it. */
export const isMailAddress = (text: string): boolean => text.length <= 320 && address.test(text)

/** The `mailto` URL of a draft to one address, after RFC 6068; null where it is too long, or the address is not one. */
export function mailDraft(to: string, subject: string, body: string): string | null {
  if (!isMailAddress(to)) return null
  const encoded = (text: string): string =>
    encodeURIComponent(text.toWellFormed()).replace(
      /[!'()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    )
  const url = `mailto:${encoded(to).replace('%40', '@')}?subject=${encoded(subject)}&body=${encoded(body.replace(/\r?\n/g, '\r\n'))}`
  return url.length <= urlMaxChars ? url : null
}
