#include "CNATS.h"
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* Declarations of structures change between minor versions, which the name of the file tells. */
#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)
#define RELEASE TEXT(NATS_VERSION_MAJOR) "." TEXT(NATS_VERSION_MINOR)

/* The functions that Swift calls. The compiler compares each with its declaration. */
#define FUNCTIONS(F) \
  F(void, jsCtx_Destroy, (jsCtx *a), (a)) \
  F(natsStatus, jsOptions_Init, (jsOptions *a), (a)) \
  F(void, jsPubAck_Destroy, (jsPubAck *a), (a)) \
  F(natsStatus, jsPubOptions_Init, (jsPubOptions *a), (a)) \
  F(natsStatus, jsStreamConfig_Init, (jsStreamConfig *a), (a)) \
  F(void, jsStreamInfo_Destroy, (jsStreamInfo *a), (a)) \
  F(natsStatus, js_AddStream, \
    (jsStreamInfo **a, jsCtx *b, jsStreamConfig *c, jsOptions *d, jsErrCode *e), (a, b, c, d, e)) \
  F(natsStatus, js_DeleteMsg, (jsCtx *a, const char *b, uint64_t c, jsOptions *d, jsErrCode *e), \
    (a, b, c, d, e)) \
  F(natsStatus, js_DeleteStream, (jsCtx *a, const char *b, jsOptions *c, jsErrCode *d), \
    (a, b, c, d)) \
  F(natsStatus, js_GetLastMsg, \
    (natsMsg **a, jsCtx *b, const char *c, const char *d, jsOptions *e, jsErrCode *f), \
    (a, b, c, d, e, f)) \
  F(natsStatus, js_GetStreamInfo, \
    (jsStreamInfo **a, jsCtx *b, const char *c, jsOptions *d, jsErrCode *e), (a, b, c, d, e)) \
  F(natsStatus, js_Publish, \
    (jsPubAck **a, jsCtx *b, const char *c, const void *d, int e, jsPubOptions *f, jsErrCode *g), \
    (a, b, c, d, e, f, g)) \
  F(void, natsConnection_Close, (natsConnection *a), (a)) \
  F(natsStatus, natsConnection_Connect, (natsConnection **a, natsOptions *b), (a, b)) \
  F(void, natsConnection_Destroy, (natsConnection *a), (a)) \
  F(natsStatus, natsConnection_FlushTimeout, (natsConnection *a, int64_t b), (a, b)) \
  F(natsStatus, natsConnection_GetLastError, (natsConnection *a, const char **b), (a, b)) \
  F(int64_t, natsConnection_GetMaxPayload, (natsConnection *a), (a)) \
  F(natsStatus, natsConnection_GetRTT, (natsConnection *a, int64_t *b), (a, b)) \
  F(natsStatus, natsConnection_JetStream, (jsCtx **a, natsConnection *b, jsOptions *c), (a, b, c)) \
  F(natsStatus, natsConnection_Publish, (natsConnection *a, const char *b, const void *c, int d), \
    (a, b, c, d)) \
  F(natsStatus, natsConnection_Subscribe, \
    (natsSubscription **a, natsConnection *b, const char *c, natsMsgHandler d, void *e), \
    (a, b, c, d, e)) \
  F(natsStatus, natsMsgHeader_Get, (natsMsg *a, const char *b, const char **c), (a, b, c)) \
  F(void, natsMsg_Destroy, (natsMsg *a), (a)) \
  F(const char *, natsMsg_GetData, (const natsMsg *a), (a)) \
  F(int, natsMsg_GetDataLength, (const natsMsg *a), (a)) \
  F(uint64_t, natsMsg_GetSequence, (natsMsg *a), (a)) \
  F(int64_t, natsMsg_GetTime, (natsMsg *a), (a)) \
  F(natsStatus, natsOptions_Create, (natsOptions **a), (a)) \
  F(void, natsOptions_Destroy, (natsOptions *a), (a)) \
  F(natsStatus, natsOptions_LoadCATrustedCertificates, (natsOptions *a, const char *b), (a, b)) \
  F(natsStatus, natsOptions_LoadCertificatesChain, (natsOptions *a, const char *b, const char *c), \
    (a, b, c)) \
  F(natsStatus, natsOptions_SetClosedCB, (natsOptions *a, natsConnectionHandler b, void *c), \
    (a, b, c)) \
  F(natsStatus, natsOptions_SetDisconnectedCB, (natsOptions *a, natsConnectionHandler b, void *c), \
    (a, b, c)) \
  F(natsStatus, natsOptions_SetErrorHandler, (natsOptions *a, natsErrHandler b, void *c), \
    (a, b, c)) \
  F(natsStatus, natsOptions_SetExpectedHostname, (natsOptions *a, const char *b), (a, b)) \
  F(natsStatus, natsOptions_SetFailRequestsOnDisconnect, (natsOptions *a, bool b), (a, b)) \
  F(natsStatus, natsOptions_SetMaxPingsOut, (natsOptions *a, int b), (a, b)) \
  F(natsStatus, natsOptions_SetMaxReconnect, (natsOptions *a, int b), (a, b)) \
  F(natsStatus, natsOptions_SetNKeyFromSeed, (natsOptions *a, const char *b, const char *c), \
    (a, b, c)) \
  F(natsStatus, natsOptions_SetName, (natsOptions *a, const char *b), (a, b)) \
  F(natsStatus, natsOptions_SetNoEcho, (natsOptions *a, bool b), (a, b)) \
  F(natsStatus, natsOptions_SetPingInterval, (natsOptions *a, int64_t b), (a, b)) \
  F(natsStatus, natsOptions_SetReconnectBufSize, (natsOptions *a, int b), (a, b)) \
  F(natsStatus, natsOptions_SetReconnectJitter, (natsOptions *a, int64_t b, int64_t c), (a, b, c)) \
  F(natsStatus, natsOptions_SetReconnectWait, (natsOptions *a, int64_t b), (a, b)) \
  F(natsStatus, natsOptions_SetReconnectedCB, (natsOptions *a, natsConnectionHandler b, void *c), \
    (a, b, c)) \
  F(natsStatus, natsOptions_SetSecure, (natsOptions *a, bool b), (a, b)) \
  F(natsStatus, natsOptions_SetSendAsap, (natsOptions *a, bool b), (a, b)) \
  F(natsStatus, natsOptions_SetServers, (natsOptions *a, const char **b, int c), (a, b, c)) \
  F(natsStatus, natsOptions_SetTimeout, (natsOptions *a, int64_t b), (a, b)) \
  F(natsStatus, natsOptions_SetToken, (natsOptions *a, const char *b), (a, b)) \
  F(natsStatus, natsOptions_SetUserCredentialsFromFiles, \
    (natsOptions *a, const char *b, const char *c), (a, b, c)) \
  F(natsStatus, natsOptions_SetUserInfo, (natsOptions *a, const char *b, const char *c), \
    (a, b, c)) \
  F(natsStatus, natsOptions_SetWriteDeadline, (natsOptions *a, int64_t b), (a, b)) \
  F(const char *, natsStatus_GetText, (natsStatus a), (a)) \
  F(void, natsSubscription_Destroy, (natsSubscription *a), (a)) \
  F(natsStatus, natsSubscription_GetDropped, (natsSubscription *a, int64_t *b), (a, b)) \
  F(const char *, natsSubscription_GetSubject, (natsSubscription *a), (a)) \
  F(natsStatus, natsSubscription_SetOnCompleteCB, \
    (natsSubscription *a, natsOnCompleteCB b, void *c), (a, b, c)) \
  F(natsStatus, natsSubscription_SetPendingLimits, (natsSubscription *a, int b, int c), (a, b, c)) \
  F(const char *, nats_GetLastError, (natsStatus *a), (a))

#define SLOT(type, name, parameters, arguments) static __typeof__(&name) name##_found;
FUNCTIONS(SLOT)

#define FORWARD(type, name, parameters, arguments) \
  __attribute__((visibility("hidden"))) type name parameters { return name##_found arguments; }
FUNCTIONS(FORWARD)

static const struct {
  const char *name;
  void *slot;
} rows[] = {
#define ROW(type, name, parameters, arguments) {#name, &name##_found},
  FUNCTIONS(ROW)
};

const char *lectern_nats_load(void) {
  void *library = dlopen("libnats.so." RELEASE, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return dlerror();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    void *found = dlsym(library, rows[i].name);
    if (found == NULL) return dlerror();
    memcpy(rows[i].slot, &found, sizeof found);
  }
  return NULL;
}

const char *lectern_nats_package(void) { return "libnats" RELEASE; }
