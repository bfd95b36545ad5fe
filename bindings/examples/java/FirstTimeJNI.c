/* What FirstTime.java calls: each function turns Java's values into C's, makes one call, and throws its failure. */
#include <firsttime.h>

#include <stdlib.h>
#include <string.h>

#include "FirstTime.h"

#define STORE(number) ((firsttime_store *)(intptr_t)(number))
#define CLAIM(number) ((firsttime_claim *)(intptr_t)(number))

static jbyteArray bytes(JNIEnv *java, const char *text) {
    if (!text) return NULL;
    jsize length = (jsize)strlen(text);
    jbyteArray array = (*java)->NewByteArray(java, length);
    if (array) (*java)->SetByteArrayRegion(java, array, 0, length, (const jbyte *)text);
    return array;
}

/* A string that the caller frees; the NUL is in the array. */
static char *text(JNIEnv *java, jbyteArray array) {
    if (!array) return NULL;
    jsize length = (*java)->GetArrayLength(java, array);
    char *text = malloc((size_t)length);
    if (text) (*java)->GetByteArrayRegion(java, array, 0, length, (jbyte *)text);
    return text;
}

/* The result as it is; a failure becomes an exception, unless one of the callback's own is on its way. */
static firsttime_result checked(JNIEnv *java, firsttime_result result) {
    if (result >= 0 || (*java)->ExceptionCheck(java)) return result;
    jclass failure = (*java)->FindClass(java, "FirstTime$Failure");
    jmethodID make = failure ? (*java)->GetMethodID(java, failure, "<init>", "(I[B)V") : NULL;
    jbyteArray words = make ? bytes(java, firsttime_last_error()) : NULL;
    jobject thrown = words ? (*java)->NewObject(java, failure, make, (jint)result, words) : NULL;
    if (thrown) (*java)->Throw(java, thrown);
    return result;
}

static firsttime_policy policy(jint number) {
    firsttime_policy policy = {.size = sizeof policy};
    if (number == 1) policy.flags = FIRSTTIME_PER_VERSION;
    if (number == 2) policy.flags = FIRSTTIME_PER_INTERVAL;
    policy.interval = FIRSTTIME_DAILY;
    return policy;
}

struct work {
    JNIEnv *java;
    jobject first, after;
};

/* A Java exception stays pending, and is thrown when the native method returns. */
static int run(JNIEnv *java, jobject callback) {
    jclass class = (*java)->GetObjectClass(java, callback);
    jmethodID method = class ? (*java)->GetMethodID(java, class, "run", "()V") : NULL;
    if (method) (*java)->CallVoidMethod(java, callback, method);
    return (*java)->ExceptionCheck(java);
}

static int run_first(void *context) {
    struct work *work = context;
    return run(work->java, work->first);
}

static int run_after(void *context) {
    struct work *work = context;
    return run(work->java, work->after);
}

JNIEXPORT jlong JNICALL Java_FirstTime_open(JNIEnv *java, jclass class, jbyteArray path, jbyteArray app_id,
                                            jbyteArray app_version) {
    (void)class;
    char *strings[] = {text(java, path), text(java, app_id), text(java, app_version)};
    firsttime_options options = FIRSTTIME_OPTIONS_INIT;
    options.path = strings[0];
    options.app_id = strings[1];
    options.app_version = strings[2];
    firsttime_store *store;
    checked(java, firsttime_open(&options, &store));
    for (int index = 0; index < 3; index++) free(strings[index]);
    return (intptr_t)store;
}

JNIEXPORT void JNICALL Java_FirstTime_close(JNIEnv *java, jclass class, jlong store) {
    (void)class;
    checked(java, firsttime_close(STORE(store)));
}

JNIEXPORT jint JNICALL Java_FirstTime_execute(JNIEnv *java, jclass class, jlong store, jbyteArray key, jint number,
                                              jobject first, jobject after) {
    (void)class;
    char *name = text(java, key);
    firsttime_policy how = policy(number);
    struct work work = {java, first, after};
    firsttime_result result = checked(java, firsttime_execute(STORE(store), name, &how, first ? run_first : NULL,
                                                              after ? run_after : NULL, &work));
    free(name);
    return result;
}

JNIEXPORT jlong JNICALL Java_FirstTime_begin(JNIEnv *java, jclass class, jlong store, jbyteArray key, jint number) {
    (void)class;
    char *name = text(java, key);
    firsttime_policy how = policy(number);
    firsttime_claim *claim;
    checked(java, firsttime_begin(STORE(store), name, &how, &claim));
    free(name);
    return (intptr_t)claim;
}

JNIEXPORT void JNICALL Java_FirstTime_commit(JNIEnv *java, jclass class, jlong claim) {
    (void)class;
    checked(java, firsttime_commit(CLAIM(claim)));
}

JNIEXPORT void JNICALL Java_FirstTime_abandon(JNIEnv *java, jclass class, jlong claim) {
    (void)java, (void)class;
    firsttime_abandon(CLAIM(claim));
}

JNIEXPORT jboolean JNICALL Java_FirstTime_wasExecuted(JNIEnv *java, jclass class, jlong store, jbyteArray key) {
    (void)class;
    char *name = text(java, key);
    firsttime_result result = checked(java, firsttime_was_executed(STORE(store), name));
    free(name);
    return result == FIRSTTIME_YES;
}

JNIEXPORT jobject JNICALL Java_FirstTime_find(JNIEnv *java, jclass class, jlong store, jbyteArray key) {
    (void)class;
    char *name = text(java, key), *buffer = NULL;
    firsttime_record record = {.size = sizeof record};
    size_t capacity = 0, needed = 4096;
    firsttime_result result = FIRSTTIME_NO;
    while (needed > capacity) { /* again with more room when the record grew meanwhile */
        free(buffer);
        capacity = needed;
        buffer = malloc(capacity);
        if (!buffer) break;
        result = firsttime_read(STORE(store), name, &record, buffer, capacity, &needed);
    }
    jobject found = NULL;
    if (checked(java, result) == FIRSTTIME_YES) {
        jclass type = (*java)->FindClass(java, "FirstTime$Record");
        jmethodID make = type ? (*java)->GetMethodID(java, type, "<init>", "([BDJ)V") : NULL;
        jbyteArray version = make ? bytes(java, record.last_version) : NULL;
        if (make) found = (*java)->NewObject(java, type, make, version, record.last_time, (jlong)record.count);
    }
    free(buffer);
    free(name);
    return found;
}
