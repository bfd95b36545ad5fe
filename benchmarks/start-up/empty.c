/* The least that any program costs. */
int main(void) { return 0; }
