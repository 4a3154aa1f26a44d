/** Normalizes `--base-url`: http or https, with a trailing slash. Null if it is not a usable base URL. */
export function usableBaseUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const plain = url.username === '' && url.password === '' && !/[?#]/.test(url.href)
  if (!plain || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}
