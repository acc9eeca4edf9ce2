// A Vulkan driver that is lavapipe, but loses its device at a call, or is a GPU that is missing for some seconds.
//
//   DRIVER        path of lavapipe
//   LOSE_POLL     number of the call that asks for the value of a semaphore, from 1, at which the device is lost
//   LOSE_SUBMIT   number of the call that submits, from 1, at which the device is lost
//   LOSE_CHAIN    number of the call that creates a swapchain, from 1, at which the device is lost
//   NO_BUFFER     number of the call that creates a buffer, from 1, for which the GPU has no memory
//   GPU_OUTAGE    seconds for which no device is created after the first one; the adapter then is the discrete GPU "Test GPU"
//
// A lost device stays lost; the next one that is created works.

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OUT_OF_DEVICE_MEMORY = -2, INITIALIZATION_FAILED = -3, DEVICE_LOST = -4, DISCRETE_GPU = 2 };

typedef void (*Function)(void);

static Function (*real_instance)(void *, const char *);
static Function (*real_device)(void *, const char *);
static int (*real_value)(void *, uint64_t, uint64_t *);
static int (*real_wait)(void *, const void *, uint64_t);
static int (*real_submit)(void *, uint32_t, const void *, uint64_t);
static int (*real_chain)(void *, const void *, const void *, void *);
static int (*real_buffer)(void *, const void *, const void *, void *);
static int (*real_create)(void *, const void *, const void *, void *);
static void (*real_properties)(void *, uint32_t *);
static void (*real_properties2)(void *, uint32_t *);

static int is_lost;

static void *library(void) {
    static void *found;
    if (!found && !(found = dlopen(getenv("DRIVER"), RTLD_NOW))) abort();
    return found;
}

static long number(const char *variable) {
    const char *text = getenv(variable);
    return text ? atol(text) : 0;
}

static int value(void *device, uint64_t semaphore, uint64_t *result) {
    static long calls;
    is_lost |= ++calls == number("LOSE_POLL");
    return is_lost ? DEVICE_LOST : real_value(device, semaphore, result);
}

static int wait(void *device, const void *info, uint64_t timeout) {
    return is_lost ? DEVICE_LOST : real_wait(device, info, timeout);
}

static int submit(void *queue, uint32_t count, const void *submits, uint64_t fence) {
    static long calls;
    is_lost |= ++calls == number("LOSE_SUBMIT");
    return is_lost ? DEVICE_LOST : real_submit(queue, count, submits, fence);
}

static int chain(void *device, const void *info, const void *allocator, void *result) {
    static long calls;
    is_lost |= ++calls == number("LOSE_CHAIN");
    return is_lost ? DEVICE_LOST : real_chain(device, info, allocator, result);
}

static int buffer(void *device, const void *info, const void *allocator, void *result) {
    static long calls;
    return ++calls == number("NO_BUFFER") ? OUT_OF_DEVICE_MEMORY : real_buffer(device, info, allocator, result);
}

static int create(void *adapter, const void *info, const void *allocator, void *device) {
    static int created;
    static time_t outage;
    if (created && number("GPU_OUTAGE")) {
        if (!outage) outage = time(NULL);
        if (time(NULL) - outage < number("GPU_OUTAGE")) return INITIALIZATION_FAILED;
    }
    created = 1;
    is_lost = 0;
    return real_create(adapter, info, allocator, device);
}

// Of VkPhysicalDeviceProperties: the type follows four numbers, and the name follows the type.
static void as_gpu(uint32_t *properties) {
    if (!number("GPU_OUTAGE")) return;
    properties[4] = DISCRETE_GPU;
    strcpy((char *)&properties[5], "Test GPU");
}

static void get_properties(void *adapter, uint32_t *result) {
    real_properties(adapter, result);
    as_gpu(result);
}

// VkPhysicalDeviceProperties2 begins with a type and a pointer.
static void get_properties2(void *adapter, uint32_t *result) {
    real_properties2(adapter, result);
    as_gpu(result + 4);
}

static Function get_device(void *device, const char *name);

static Function replaced(const char *name, Function real) {
#define REPLACE(vulkan, own, pointer)    \
    if (real && !strcmp(name, vulkan)) { \
        pointer = (void *)real;          \
        return (Function)own;            \
    }
    REPLACE("vkGetDeviceProcAddr", get_device, real_device)
    REPLACE("vkGetSemaphoreCounterValue", value, real_value)
    REPLACE("vkGetSemaphoreCounterValueKHR", value, real_value)
    REPLACE("vkWaitSemaphores", wait, real_wait)
    REPLACE("vkWaitSemaphoresKHR", wait, real_wait)
    REPLACE("vkQueueSubmit", submit, real_submit)
    REPLACE("vkCreateSwapchainKHR", chain, real_chain)
    REPLACE("vkCreateBuffer", buffer, real_buffer)
    REPLACE("vkCreateDevice", create, real_create)
    REPLACE("vkGetPhysicalDeviceProperties2", get_properties2, real_properties2)
    REPLACE("vkGetPhysicalDeviceProperties2KHR", get_properties2, real_properties2)
    REPLACE("vkGetPhysicalDeviceProperties", get_properties, real_properties)
    return real;
}

static Function get_device(void *device, const char *name) { return replaced(name, real_device(device, name)); }

Function vk_icdGetInstanceProcAddr(void *instance, const char *name) {
    if (!real_instance) real_instance = (void *)dlsym(library(), "vk_icdGetInstanceProcAddr");
    return replaced(name, real_instance(instance, name));
}

Function vk_icdGetPhysicalDeviceProcAddr(void *instance, const char *name) {
    Function (*real)(void *, const char *) = (void *)dlsym(library(), "vk_icdGetPhysicalDeviceProcAddr");
    return real ? real(instance, name) : NULL;
}

int vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version) {
    int (*real)(uint32_t *) = (void *)dlsym(library(), "vk_icdNegotiateLoaderICDInterfaceVersion");
    return real(version);
}
