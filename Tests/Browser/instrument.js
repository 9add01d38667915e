// Runs in each page and each frame before their own scripts: `__lectern` is what tests see of a page,
// undefined in a document that is not one.
{
  let page
  let isLoading = false

  const load = async () => {
    const [{ connection, context, playout }, { SCREEN_NAME }] =
      await Promise.all([import('/js/main.js'), import('/js/wire.js')])
    const { view, session, time, actions } = context
    const frame = playout.state
    page = {
      view, session, time, actions,
      get caption() { return view.caption },
      get roomCode() { return connection.room },
      // The frame on the screen.
      get frame() { return frame.number },
      get screen() { return SCREEN_NAME[frame.screen] },
      // Whether that frame is the end of a motion; false until a connection has brought one.
      get settled() { return frame.settled && (playout.isAtRest || playout.waiting > 0) },
      // Whether the camera is at rest as well, and no frame waits.
      get isAtRest() { return view.isSettled && playout.isAtRest },
      // Whether the page takes input, which the module adds that has this action, and shows all of the frame: the
      // parts of elements appear later than whole elements, and the table once the stored settings are applied.
      get isReady() {
        const { applied } = view.stage
        return 'leave' in actions && !document.getElementById('table').hidden &&
          [...frame.items].every(([key, { visible }]) => !visible || applied.has(key))
      },
    }
  }

  Object.defineProperty(window, '__lectern', {
    get() {
      if (!isLoading && document.querySelector('script[src="/js/main.js"]')) {
        isLoading = true
        load().catch(() => { isLoading = false })
      }
      return page
    },
  })
}
