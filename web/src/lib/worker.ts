/** Has the browser keep the app for when there is no network, and show pushes. Once it does, nothing changes. */
export const installWorker = () => navigator.serviceWorker.register("/service-worker.js");
