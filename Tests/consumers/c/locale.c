/* A host program's locale and time zone change nothing: not what is written, nor what is read, nor when it is due. */
#include "program.h"

#include <locale.h>

static double now;

static void use(const char *path) {
    int runs = 0;
    double time;
    firsttime_store *store = open_store(path, "1,5", 0);
    firsttime_set_clock(store, read_clock, &now, NULL);
    now = start + 0.125;
    check_result(firsttime_execute_once_per_interval(store, "key", firsttime_days(1.5), count_up, NULL, &runs),
                 FIRSTTIME_RAN);
    now += 129600 - 0.25;
    check_result(firsttime_execute_once_per_interval(store, "key", firsttime_days(1.5), must_not_run, NULL, NULL),
                 FIRSTTIME_NOT_DUE);
    now += 0.25;
    check_result(firsttime_execute_once_per_interval(store, "key", firsttime_days(1.5), count_up, NULL, &runs),
                 FIRSTTIME_RAN);
    static const char list[] =
        "<plist><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>"
        "<key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>"
        "<key>$objects</key><array><string>$null</string>"
        "<dict><key>$class</key><dict><key>CF$UID</key><integer>6</integer></dict>"
        "<key>NS.keys</key><array><dict><key>CF$UID</key><integer>2</integer></dict></array>"
        "<key>NS.objects</key><array><dict><key>CF$UID</key><integer>3</integer></dict></array></dict>"
        "<string>sharedGroup</string>"
        "<dict><key>$class</key><dict><key>CF$UID</key><integer>6</integer></dict>"
        "<key>NS.keys</key><array><dict><key>CF$UID</key><integer>4</integer></dict></array>"
        "<key>NS.objects</key><array><dict><key>CF$UID</key><integer>5</integer></dict></array></dict>"
        "<string>old</string>"
        "<dict><key>$class</key><dict><key>CF$UID</key><integer>7</integer></dict>"
        "<key>lastVersion</key><dict><key>CF$UID</key><integer>0</integer></dict>"
        "<key>lastTime</key><dict><key>CF$UID</key><integer>8</integer></dict></dict>"
        "<dict><key>$classes</key><array><string>NSMutableDictionary</string></array>"
        "<key>$classname</key><string>NSMutableDictionary</string></dict>"
        "<dict><key>$classes</key><array><string>YCFirstTimeObject</string></array>"
        "<key>$classname</key><string>YCFirstTimeObject</string></dict>"
        "<dict><key>$class</key><dict><key>CF$UID</key><integer>9</integer></dict>"
        "<key>NS.time</key><real>600000000.375</real></dict>"
        "<dict><key>$classes</key><array><string>NSDate</string></array><key>$classname</key><string>NSDate</string>"
        "</dict></array></dict></plist>";
    check_result(firsttime_import_bytes(store, list, sizeof list - 1, NULL, NULL), FIRSTTIME_OK);
    check_result(firsttime_last_execution(store, "old", &time), FIRSTTIME_YES);
    check(time == 600000000.375 + 978307200);
    check_result(firsttime_was_executed(store, "\xC3\x84"), FIRSTTIME_NO);
    check_result(firsttime_mark(store, "\xC3\xA4"), FIRSTTIME_OK);
    check_result(firsttime_was_executed(store, "\xC3\x84"), FIRSTTIME_NO);
    check_result(firsttime_close(store), FIRSTTIME_OK);
}

int main(void) {
    size_t sizes[2];
    use("plain.archive");
    check(setenv("TZ", "XYZ+13:37:11", 1) == 0);
    tzset();
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    const char *comma = NULL;
    for (int index = 0; index < 5 && !comma; index++) comma = setlocale(LC_ALL, names[index]);
    if (comma) {
        check(strcmp(localeconv()->decimal_point, ",") == 0);
    } else {
        puts("not tried: a locale with a decimal comma (none is installed)");
    }
    use("other.archive");
    if (comma) check(strcmp(setlocale(LC_ALL, NULL), comma) == 0 && strcmp(localeconv()->decimal_point, ",") == 0);
    char *plain = read_file("plain.archive", &sizes[0]), *other = read_file("other.archive", &sizes[1]);
    /* Alike but for the random id that each store draws: 8 bytes. */
    size_t different = 0;
    check(sizes[0] == sizes[1]);
    for (size_t i = 0; i < sizes[0]; i++) different += plain[i] != other[i];
    check(different <= 8);
    free(plain);
    free(other);
    return 0;
}
