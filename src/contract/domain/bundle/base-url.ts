/** `--base-url` as it is used: http or https, with a trailing slash; null when it cannot be one. */
export function usableBaseUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const plain = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (!plain || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}
