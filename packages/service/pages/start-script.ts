/**
 * Updates the callback table: fetches this page again every second while it is visible. A row is replaced once, when
 * its callback completes, so that an opened answer stays open and a focused button keeps the focus.
 */
export const startScript = `
const rows = document.getElementById('callback-rows')
async function refresh() {
  if (document.visibilityState !== 'visible') return
  const text = await (await fetch('/')).text()
  const fresh = [...new DOMParser().parseFromString(text, 'text/html').querySelectorAll('#callback-rows > tr')]
  const ids = new Set(fresh.map((row) => row.id))
  for (const row of [...rows.children]) if (!ids.has(row.id)) row.remove()
  for (const row of fresh.reverse()) {
    const shown = document.getElementById(row.id)
    if (shown === null) rows.prepend(row)
    else if (shown.dataset.ended !== row.dataset.ended) shown.replaceWith(row)
  }
}
// The emulator may be restarted, so keep polling.
const follow = () => refresh().catch(() => undefined).finally(() => setTimeout(follow, 1000))
follow()
`
