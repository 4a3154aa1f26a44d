const svg = (drawn: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 540" role="img">${drawn}</svg>`

const sky = (top: string, bottom: string): string =>
  `<defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs>` +
  '<path fill="url(#s)" d="M0 0h960v540H0z"/>'

const each = (places: readonly number[], draw: (place: number) => string): string => places.map(draw).join('')

const lighthouse = svg(
  `${sky('#16324f', '#e8a87c')}<path fill="#ffe9b8" opacity=".35" d="M640 150 960 40v230zM600 150 0 60v170z"/>` +
    '<path fill="#23395b" d="M0 420q240-80 480-30t480-50v200H0z"/><path fill="#f4f1ea" d="m588 170-28 250h120l-28-250z"/>' +
    '<path fill="#c8443a" d="m582 222-7 62h90l-7-62zM568 344l-8 76h120l-8-76z"/><path fill="#2b2d42" d="M584 130h72v40h-72zM576 168h88v10h-88z"/>' +
    '<path fill="#c8443a" d="m620 96 44 34h-88z"/><circle cx="620" cy="150" r="13" fill="#ffe9b8"/><path fill="#182a45" d="M0 470q300-60 960-20v90H0z"/>',
)

const nets = svg(
  `${sky('#d7e3e4', '#9fb8bd')}<path fill="#4d6a70" d="M0 360h960v180H0z"/><g stroke="#26545c" stroke-width="4" fill="none">` +
    each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], (at) => `<path d="M${150 + at * 60} 120q${30 - at * 4} 130-40 290"/>`) +
    each([0, 1, 2, 3, 4, 5], (at) => `<path d="M130 ${140 + at * 46}q300 ${70 - at * 4} 590 0"/>`) +
    '</g><path fill="#6b4a35" d="M100 90h24v390h-24zM720 90h24v390h-24zM80 100h690v18H80z"/>' +
    each(
      [190, 310, 430, 550, 660],
      (x) => `<circle cx="${x}" cy="${412 - Math.abs(430 - x) / 9}" r="17" fill="#e07a3f"/>`,
    ),
)

const bread = svg(
  `${sky('#fbeedb', '#f0cfa0')}<path fill="#8a5a3c" d="M0 400h960v140H0z"/><path fill="#a06b48" d="M0 400h960v18H0z"/>` +
    '<path fill="#c27a3a" d="M200 400q-30-170 280-170t280 170z"/><path fill="#dd9d58" d="M222 384q-8-136 258-136t258 136q-258-60-516 0z"/>' +
    `<g fill="none" stroke="#fbeedb" stroke-width="14" stroke-linecap="round">${each([330, 430, 530, 630], (x) => `<path d="M${x} 272q-26 30-22 66"/>`)}</g>` +
    `<g fill="none" stroke="#c9a27a" stroke-width="8" stroke-linecap="round" opacity=".7">${each([400, 480, 560], (x) => `<path d="M${x} 200q-22-34 0-68t0-68"/>`)}</g>`,
)

const paperBoats = svg(
  `${sky('#cfe8f3', '#8cc4dc')}<path fill="#4a93b5" d="M0 330q120-24 240 0t240 0 240 0 240 0v210H0z"/>` +
    each([120, 420, 690], (x) => {
      const y = 250 + (x % 7) * 14
      return (
        `<g transform="translate(${x} ${y})"><path fill="#f7f4ec" d="M0 70h190l-42 62H42z"/><path fill="#e3ded0" d="m95 0 62 70H33z"/>` +
        '<path fill="#c9c2b0" d="M95 0v70H33z"/></g>'
      )
    }) +
    '<path fill="#3a7d9f" opacity=".85" d="M0 430q120-24 240 0t240 0 240 0 240 0v110H0z"/>',
)

/** Lead pictures of stories without a photograph. */
export const storyPictures = { lighthouse, nets, bread, paperBoats } as const
