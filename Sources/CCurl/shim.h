#pragma once
#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo are variadic, and Swift cannot call variadic functions.

static inline CURLcode lectern_curl_set_long(CURL *curl, CURLoption option, long value) {
  return curl_easy_setopt(curl, option, value);
}

static inline CURLcode lectern_curl_set_size(CURL *curl, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(curl, option, value);
}

static inline CURLcode lectern_curl_set_text(CURL *curl, CURLoption option, const char *value) {
  return curl_easy_setopt(curl, option, value);
}

static inline CURLcode lectern_curl_set_headers(CURL *curl, struct curl_slist *headers) {
  return curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
}

static inline CURLcode lectern_curl_set_sink(CURL *curl, curl_write_callback body,
                                             curl_write_callback header, void *context) {
  CURLcode code = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, body);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_WRITEDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, header);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_HEADERDATA, context);
  return code;
}

static inline CURLcode lectern_curl_set_source(CURL *curl, curl_read_callback read,
                                               curl_seek_callback seek, void *context) {
  CURLcode code = curl_easy_setopt(curl, CURLOPT_READFUNCTION, read);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_READDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_SEEKFUNCTION, seek);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_SEEKDATA, context);
  return code;
}

static inline long lectern_curl_status(CURL *curl) {
  long status = 0;
  return curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}
